import type { Excerpt } from '@stet/contract';

const LENGTH = 120;
const BEFORE = 40;
// A word consists of letters with their combining marks, and digits.
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
// Characters of writing systems without spaces between words. In such text, a match can start at any character.
const UNSPACED = /[\u0E00-\u0E7F\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005-\u30FF\u3400-\u9FFF\uF900-\uFAFF]/u;

/** Folds text for comparisons: lower case, without accents. Must match the SQL function `search_folded`. */
const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .normalize('NFKC');

/** The words of the query in folded form. Consecutive characters of a writing system without spaces form one word. */
export const wordsOf = (typed: string): string[] => [...new Set(folded(typed).match(WORD) ?? [])];

/**
 * Splits the text into parts, and marks the search words that its words start with or, if the text has no spaces between
 * words, contain. Null if there is no match.
 */
export function markWords(text: string, words: readonly string[]): Excerpt | null {
  const marks = marksIn(text, words);
  return marks.length === 0 ? null : inParts(text, marks);
}

/**
 * Returns a name with the whole query marked or, if the name doesn't contain it or folding changes the name's length,
 * the query's words. Null if there is no match.
 */
export function markTyped(name: string, typed: string): Excerpt | null {
  const plain = folded(name);
  const from = plain.length === name.length ? plain.indexOf(folded(typed.trim())) : -1;
  return from === -1
    ? markWords(name, wordsOf(typed))
    : inParts(name, [{ from, to: from + folded(typed.trim()).length }]);
}

/**
 * Like `markWords`, but the text is put on one line and cut to about 120 characters around the first match. Null without
 * a match.
 */
export function excerptOf(text: string, words: readonly string[]): Excerpt | null {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const [first] = marksIn(line, words);
  if (!first) return null;
  if (line.length <= LENGTH) return markWords(line, words);
  const from = startAt(line, Math.max(0, Math.min(first.from - BEFORE, line.length - LENGTH)));
  const to = endAt(line, from + LENGTH);
  const cut = markWords(line.slice(from, to), words) ?? [{ text: line.slice(from, to), hit: false }];
  return [
    ...(from > 0 ? [{ text: '…', hit: false }] : []),
    ...cut,
    ...(to < line.length ? [{ text: '…', hit: false }] : []),
  ];
}

type Mark = { from: number; to: number };

function marksIn(text: string, words: readonly string[]): Mark[] {
  const marks: Mark[] = [];
  for (const match of text.matchAll(WORD)) {
    const word = folded(match[0]);
    const begun = words.filter((each) => word.startsWith(each));
    const within = begun.length > 0 ? begun : words.filter((each) => UNSPACED.test(each) && word.includes(each));
    const longest = within.toSorted((one, other) => other.length - one.length)[0];
    if (longest === undefined) continue;
    // Folding can change a word's length. If it did, the whole word is marked. Otherwise only the matching part is
    // marked.
    const at = word.indexOf(longest);
    const same = word.length === match[0].length;
    marks.push({
      from: match.index + (same ? at : 0),
      to: match.index + (same ? at + longest.length : match[0].length),
    });
  }
  return marks;
}

function inParts(text: string, marks: readonly Mark[]): Excerpt {
  const parts: Excerpt = [];
  let at = 0;
  for (const { from, to } of marks) {
    if (from > at) parts.push({ text: text.slice(at, from), hit: false });
    parts.push({ text: text.slice(from, to), hit: true });
    at = to;
  }
  if (at < text.length) parts.push({ text: text.slice(at), hit: false });
  return parts;
}

/** Returns the start of the next word if it is shortly after `at`, and otherwise the start of a character at `at`. */
function startAt(line: string, at: number): number {
  if (at === 0) return 0;
  const space = line.indexOf(' ', at);
  return space !== -1 && space - at < BEFORE / 2 ? space + 1 : whole(line, at);
}

function endAt(line: string, at: number): number {
  if (at >= line.length) return line.length;
  const space = line.lastIndexOf(' ', at);
  return space !== -1 && at - space < BEFORE / 2 ? space : whole(line, at);
}

const whole = (line: string, at: number): number => (/[\uDC00-\uDFFF]/.test(line.charAt(at)) ? at + 1 : at);
