import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Measure, wrap } from './wrap.ts';

const perCharacter = (text: string): number => Array.from(text).length;
const textsOf = (text: string, width: number, measure: Measure): string[] =>
  wrap(text, width, measure).map((line) => line.text);

describe('wrapping', () => {
  it('breaks at spaces, and drops the space at the break', () => {
    expect(textsOf('the quick brown fox', 9, perCharacter)).toEqual(['the quick', 'brown fox']);
  });

  it('keeps existing line breaks and empty lines', () => {
    expect(textsOf('one\r\n\ntwo\u2028three', 20, perCharacter)).toEqual(['one', '', 'two', 'three']);
    expect(textsOf('', 20, perCharacter)).toEqual(['']);
  });

  it('breaks between ideographs, but not before a full stop', () => {
    expect(textsOf('四半期の締め。処理', 6, perCharacter)).toEqual(['四半期の締', 'め。処理']);
  });

  it("doesn't break at a no-break space or after an opening bracket", () => {
    expect(textsOf('costs 10\u00a0000 Euro', 8, perCharacter)).toEqual(['costs', '10\u00a0000', 'Euro']);
    expect(textsOf('費用（税込み）', 3, perCharacter)).toEqual(['費用', '（税込', 'み）']);
  });

  it('keeps a compound and a date whole if they fit on a line', () => {
    expect(textsOf('follow-up on 2026-11-21', 10, perCharacter)).toEqual(['follow-up', 'on', '2026-11-21']);
  });

  it('breaks a word that is too long at a joint, or anywhere if there is none', () => {
    expect(textsOf('mail someone@example.com', 10, perCharacter)).toEqual(['mail', 'someone@', 'example.', 'com']);
    expect(textsOf('Kapitänsmütze', 5, perCharacter)).toEqual(['Kapit', 'änsmü', 'tze']);
  });

  it('never splits a grapheme cluster', () => {
    expect(textsOf('e\u0301e\u0301👩‍💻👩‍💻', 3, perCharacter)).toEqual(['e\u0301', 'e\u0301', '👩‍💻', '👩‍💻']);
  });

  it('drops only white space, and exceeds the width only for a single grapheme cluster', () => {
    const texts = fc.string({
      unit: fc.constantFrom(...Array.from('ab-/. \n四。é\u0301'), '👩‍💻', 'שלום'),
      maxLength: 60,
    });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 12 }), (text, width) => {
        const lines = textsOf(text, width, perCharacter);
        expect(lines.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
        for (const line of lines) {
          const signs = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(line)].length;
          expect(perCharacter(line) <= width || signs === 1).toBe(true);
        }
      }),
    );
  });

  it('reports the position of each line and each measured part in the text', () => {
    const texts = fc.string({ unit: fc.constantFrom(...Array.from('ab-/. \n四。é\u0301'), '👩‍💻'), maxLength: 60 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 12 }), (text, width) => {
        const lines = wrap(text, width, (part, at) => {
          expect(text.slice(at, at + part.length)).toBe(part);
          return perCharacter(part);
        });
        for (const line of lines) {
          expect(line.text === '' || text.slice(line.at, line.at + line.text.length) === line.text).toBe(true);
        }
      }),
    );
  });
});
