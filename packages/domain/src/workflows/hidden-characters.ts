/**
 * Characters that a reader can't see: format characters and fillers (Unicode's default ignorable code points), controls
 * other than tabs and line ends, line and paragraph separators, the blank Braille pattern. Lone surrogates count too,
 * because they aren't text.
 */
const INVISIBLE = /(?![\t\n\r])\p{Cc}|[\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\uFFF9-\uFFFB\p{Surrogate}]/gu;
/** Marks, embeddings, overrides and isolates of Unicode's bidirectional algorithm. */
const DIRECTION_CONTROL = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

/** Emoji with a presentation selector, with a skin tone, or joined to others; keycaps; regional flags. */
const EMOJI =
  /(?:[0-9#*]\uFE0F?\u20E3|\u{1F3F4}[\u{E0061}-\u{E007A}]{2}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,3}\u{E007F}|\p{Extended_Pictographic}(?:[\uFE0E\uFE0F]|\p{Emoji_Modifier})?(?:\u200D\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?)*)/gu;
/** A character with a variation selector: ideographs, mathematical signs, Mongolian and Phags-pa letters. */
const VARIANT =
  /(?:\p{Ideographic}[\uFE00-\uFE02\u{E0100}-\u{E01EF}]|\p{Sm}\uFE00|\p{Script=Mongolian}[\u180B-\u180D\u180F]|\p{Script=Phags_Pa}\uFE00|\p{Script=Myanmar}\uFE00)/gu;
/** A joiner or non-joiner after a virama, the sign that joins an Indic letter to the next one. */
const BEHIND_VIRAMA =
  /(?<=[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D3B\u0D3C\u0D4D\u0DCA\u1039\u103A\u17D2\u1A60\u1B44\u1BAA\u1BAB\uA806\uA8C4\uA953\uA9C0\uAAF6\uABED])[\u200C\u200D](?=[\p{L}\p{M}])/gu;
/** Letters of Arabic script that never join the next one. */
const ENDS_JOINING =
  /[\u0621-\u0625\u0627\u0629\u062F-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06C0\u06C3-\u06CB\u06CD\u06CF\u06D2\u06D3\u06D5\u06EE\u06EF]/u;
/** A joiner or non-joiner between two letters of a joining script, with the marks on the first. */
const BETWEEN_JOINING =
  /([\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}])\p{M}*([\u200C\u200D])(?=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}])/gu;
const RIGHT_TO_LEFT_LETTER =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Mandaic}\p{Script=Samaritan}\p{Script=Hanifi_Rohingya}]/u;

/** Returns whether text has a character that changes its reading direction. */
export const hasDirectionControl = (text: string): boolean => DIRECTION_CONTROL.test(text);

/**
 * Returns text with each invisible character shown as its code point, as in `pay⟨U+200B⟩roll`, so that different texts
 * look different. Invisible characters remain if Unicode's own rules expect them. These are characters in emoji and
 * variation sequences (UTS 51, UTS 37), joiners between letters that join (RFC 5892, appendix A), and balanced isolates
 * in a line of right-to-left text.
 */
export function visibleText(text: string): string {
  INVISIBLE.lastIndex = 0;
  if (!INVISIBLE.test(text)) return text;
  const expected = expectedPlaces(text);
  return text.replace(INVISIBLE, (character: string, place: number) =>
    expected.has(place) ? character : codePoint(character),
  );
}

/** Returns a character as its Unicode code point, as in `⟨U+200B⟩`. */
export function codePoint(character: string): string {
  const number = character.codePointAt(0) ?? 0;
  return `⟨U+${number.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** Returns the positions of expected invisible characters, in UTF-16 code units. */
function expectedPlaces(text: string): Set<number> {
  const places = new Set<number>();
  const add = (from: number, length: number) => {
    for (let place = from; place < from + length; place++) places.add(place);
  };
  for (const pattern of [EMOJI, VARIANT, BEHIND_VIRAMA]) {
    for (const match of text.matchAll(pattern)) add(match.index, match[0].length);
  }
  for (const match of text.matchAll(BETWEEN_JOINING)) {
    if (!ENDS_JOINING.test(match[1] ?? '')) add(match.index + match[0].length - 1, 1);
  }
  let start = 0;
  for (const line of text.split('\n')) {
    if (RIGHT_TO_LEFT_LETTER.test(line)) for (const place of balancedIsolates(line)) places.add(start + place);
    start += line.length + 1;
  }
  return places;
}

/**
 * Returns the positions of the isolates in a line and of the characters that end them, but only of those that form
 * pairs.
 */
function balancedIsolates(line: string): number[] {
  const open: number[] = [];
  const paired: number[] = [];
  for (let place = 0; place < line.length; place++) {
    const code = line.charCodeAt(place);
    if (code >= 0x2066 && code <= 0x2068) open.push(place);
    if (code !== 0x2069) continue;
    const start = open.pop();
    if (start !== undefined) paired.push(start, place);
  }
  return paired;
}

/** Scripts that are used together: Japanese, Korean and Chinese each mix theirs with Latin letters (UTS 39, 5.2). */
const MIXING_WELL: readonly (readonly string[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Hangul'],
  ['Latin', 'Han', 'Bopomofo'],
];
const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Georgian',
  'Hebrew',
  'Arabic',
  'Cherokee',
  'Coptic',
  'Lisu',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Bopomofo',
  'Thai',
  'Devanagari',
].map((script) => ({ script, pattern: new RegExp(`\\p{Script=${script}}`, 'u') }));

/**
 * Returns whether a part of an address mixes scripts that aren't used together, such as a Cyrillic а among Latin
 * letters. Dots, hyphens, plus signs, underscores and @ separate the parts, so `почта@example.com` is not mixed.
 */
export function hasMixedScripts(address: string): boolean {
  return address.split(/[@.\-_+\s]/u).some((part) => {
    const scripts = new Set<string>();
    for (const letter of part) {
      if (/\p{L}/u.test(letter)) scripts.add(SCRIPTS.find(({ pattern }) => pattern.test(letter))?.script ?? 'another');
    }
    return (
      scripts.size > 1 && !MIXING_WELL.some((together) => [...scripts].every((script) => together.includes(script)))
    );
  });
}
