import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasDirectionControl, hasMixedScripts, visibleText } from './hidden-characters.ts';

describe('invisible characters', () => {
  it.each([
    ['a zero width space', 'pay\u200Broll', 'pay⟨U+200B⟩roll'],
    ['a joiner between Latin letters', 'a\u200Db', 'a⟨U+200D⟩b'],
    ['a soft hyphen', 'pay\u00ADroll', 'pay⟨U+00AD⟩roll'],
    ['a byte order mark', '\uFEFFpay', '⟨U+FEFF⟩pay'],
    ['a Hangul filler', '\u3164', '⟨U+3164⟩'],
    ['the blank Braille pattern', 'a\u2800b', 'a⟨U+2800⟩b'],
    ['a control character', 'a\u0007b\u0085', 'a⟨U+0007⟩b⟨U+0085⟩'],
    ['a line separator', 'a\u2028b', 'a⟨U+2028⟩b'],
    ['a selector on a letter', 'a\uFE0F', 'a⟨U+FE0F⟩'],
    ['two selectors', '❤\uFE0F\uFE0F', '❤\uFE0F⟨U+FE0F⟩'],
    ['a joiner after an emoji', '👩\u200D x', '👩⟨U+200D⟩ x'],
    ['a joiner between digits, which are emoji by property', '1\u200D2', '1⟨U+200D⟩2'],
    ['text hidden in tags', '🏴\u{E0068}\u{E0069}', '🏴⟨U+E0068⟩⟨U+E0069⟩'],
    ['an override', 'a\u202Eb\u202C', 'a⟨U+202E⟩b⟨U+202C⟩'],
    ['an override in right-to-left text', 'אב\u202Eג', 'אב⟨U+202E⟩ג'],
    ['isolates in left-to-right text', 'a\u2068b\u2069', 'a⟨U+2068⟩b⟨U+2069⟩'],
    ['an isolate without its end', 'אב\u2068ג', 'אב⟨U+2068⟩ג'],
    ['an isolate that ends on another line', 'אב\u2068ג\nד\u2069', 'אב⟨U+2068⟩ג\nד⟨U+2069⟩'],
    ['a direction mark', 'אב\u200Fג', 'אב⟨U+200F⟩ג'],
    ['a non-joiner after a letter that never joins', 'ر\u200Cم', 'ر⟨U+200C⟩م'],
    ['a non-joiner at the end of a word', 'می\u200C', 'می⟨U+200C⟩'],
    ['a joiner after a virama at the end of the text', 'क\u094D\u200D', 'क\u094D⟨U+200D⟩'],
  ])('are shown as code points (%s)', (_, text, visible) => {
    expect(visibleText(text)).toBe(visible);
  });

  it.each([
    ['plain text, tabs and lines', 'Pay\tthe vendor\r\nnow: 5 €'],
    ['an emoji with its selector', 'I ❤\uFE0F you ✔\uFE0E'],
    ['a family', '👨\u200D👩\u200D👧\u200D👦'],
    ['skin tone and gender', '👩🏽\u200D⚕\uFE0F'],
    ['a rainbow flag', '🏳\uFE0F\u200D🌈'],
    ['a keycap', '1\uFE0F\u20E3'],
    ['the flag of Scotland', '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
    ['a variant of an ideograph', '葛\u{E0100}'],
    ['a Persian non-joiner', 'می\u200Cخواهم'],
    ['a Hindi joiner', 'क\u094D\u200Dष'],
    ['isolates in right-to-left text', 'שלום \u2066Stet 3\u2069 עולם'],
    ['isolates within isolates', 'א\u2067ב\u2066c\u2069\u2069'],
  ])('remain invisible if they are expected (%s)', (_, text) => {
    expect(visibleText(text)).toBe(text);
  });
});

describe('visibleText', () => {
  it('keeps different texts different, and changes nothing when it is applied again', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '\u200B', '\u200C', '\u202E', '\u00AD', '\uFE0F') });
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        expect(visibleText(one) === visibleText(other)).toBe(one === other);
        expect(visibleText(visibleText(one))).toBe(visibleText(one));
      }),
    );
  });
});

describe('direction controls', () => {
  it.each([0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069])(
    'are found in text (code point %i)',
    (code) => {
      expect(hasDirectionControl(`a${String.fromCharCode(code)}b`)).toBe(true);
    },
  );

  it('aren’t found in ordinary text of any direction', () => {
    expect(hasDirectionControl('שלום עולם, می\u200Cخواهم 👨\u200D👩')).toBe(false);
  });
});

describe('an address', () => {
  it.each([
    ['p\u0430ypal@example.com', true],
    ['anna@ex\u0430mple.com', true],
    ['\u03B1nna@example.com', true],
    ['anna@example.com', false],
    ['почта@example.com', false],
    ['почта@пример.рф', false],
    ['田中taro@例え.jp', false],
    ['ひらカタ漢@example.jp', false],
    ['müller.o-brien+x@example.com', false],
    ['reviewer', false],
  ])('%s mixes scripts: %s', (address, isMixed) => {
    expect(hasMixedScripts(address)).toBe(isMixed);
  });
});
