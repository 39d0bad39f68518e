/**
 * The estimated width of a character, in units of half a digit. It is accurate enough to break a title within its box.
 */
function widthOf(character: string): number {
  if (/[\u1100-\u11FF\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFFEF\u{1F000}-\u{1FAFF}]/u.test(character))
    return 4;
  if (/[ilj.,:;'|!()[\]]/.test(character)) return 1;
  if (/[MW@]/.test(character)) return 4;
  return /[mw%—]/.test(character) ? 3 : 2;
}

/** Counts characters as people do: an emoji with its modifiers is one. */
const segments = new Intl.Segmenter();
const charactersOf = (text: string): string[] => Array.from(segments.segment(text), ({ segment }) => segment);

const width = (text: string): number => charactersOf(text).reduce((sum, character) => sum + widthOf(character), 0);

/**
 * Breaks a title into at most two lines, between words if possible. If it is longer, the second ends with an ellipsis.
 * @param room the width of a line, in units of half a digit
 */
export function titleLines(title: string, room = 42): string[] {
  const words = title.trim().split(/\s+/);
  let first = '';
  while (words.length > 0 && width(first === '' ? (words[0] ?? '') : `${first} ${words[0]}`) <= room) {
    first = first === '' ? (words.shift() ?? '') : `${first} ${words.shift() ?? ''}`;
  }
  if (words.length === 0) return [first];
  if (first !== '') return [first, cut(words.join(' '), room)];
  // A single word that is longer than a line.
  const [head, tail] = splitAt(words.join(' '), room);
  return [head, cut(tail, room)];
}

function cut(text: string, room: number): string {
  return width(text) <= room ? text : `${splitAt(text, room - 2)[0].trimEnd()}…`;
}

function splitAt(text: string, room: number): [string, string] {
  const characters = charactersOf(text);
  let used = 0;
  const end = characters.findIndex((character) => (used += widthOf(character)) > room);
  return end === -1 ? [text, ''] : [characters.slice(0, end).join(''), characters.slice(end).join('')];
}
