// Where a line may end: after a space, after a hyphen or a slash between letters, and between ideographs.
const IDEOGRAPH = String.raw`[\u2E80-\u2FDF\u3041-\u30FF\u3400-\u9FFF\uF900-\uFAFF\u{20000}-\u{3FFFF}]`;
const CLOSING = String.raw`[\u3001\u3002\uFF09\uFF0C\uFF0E\uFF1A\uFF1B\uFF1F\uFF01」』】〉》]`;
const CHUNK = new RegExp(
  String.raw`${IDEOGRAPH}${CLOSING}*\s*|(?:(?!${IDEOGRAPH})\S)+?(?:(?<=\p{L}[\-/])(?=\p{L})|\s+|(?=${IDEOGRAPH})|$)|\s+`,
  'gu',
);
// Where a word that is too long for a line is broken if it can be: addresses, paths, ids.
const JOINT = /(?<=[@._\-/:?&=])/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** `at` is where in the text the line begins. */
export type Line = { text: string; at: number };
/** How wide a part of the text is; `at` is where in the text it stands. */
export type Measure = (text: string, at: number) => number;

/**
 * Breaks a text into lines that are at most `width` wide; a word that is wider than a line is broken within, at a joint
 * where it has one. Nothing but
 * the space at a break is left out. Line ends in the text stay; an empty text is one empty line.
 */
export function wrap(text: string, width: number, measure: Measure): Line[] {
  const lines: Line[] = [];
  let at = 0;
  for (const match of [...text.matchAll(/\r\n|[\n\r\u2028\u2029]/g), null]) {
    const end = match?.index ?? text.length;
    lines.push(...wrapParagraph(text.slice(at, end).replaceAll('\t', ' '), at, width, measure));
    at = end + (match?.[0].length ?? 0);
  }
  return lines;
}

function wrapParagraph(paragraph: string, start: number, width: number, measure: Measure): Line[] {
  const lines: Line[] = [];
  let line: Line = { text: '', at: start };
  let used = 0;
  const take = (part: string, at: number): void => {
    line = { text: line.text + part, at: line.text === '' ? at : line.at };
    used += measure(part, at);
  };
  const end = (): void => {
    lines.push({ text: line.text.trimEnd(), at: line.at });
    line = { text: '', at: start };
    used = 0;
  };
  for (const match of paragraph.matchAll(CHUNK)) {
    const [chunk] = match;
    const at = start + match.index;
    const visible = measure(chunk.trimEnd(), at);
    if (line.text !== '' && used + visible > width) end();
    if (visible <= width) take(chunk, at);
    else
      for (const part of partsOf(chunk, at, width, measure)) {
        if (line.text !== '' && used + measure(part.text.trimEnd(), part.at) > width) end();
        take(part.text, part.at);
      }
  }
  end();
  return lines;
}

function partsOf(word: string, start: number, width: number, measure: Measure): Line[] {
  let at = start;
  const next = (text: string): Line => {
    const part = { text, at };
    at += text.length;
    return part;
  };
  return word
    .split(JOINT)
    .flatMap((joint) =>
      measure(joint.trimEnd(), at) <= width
        ? [next(joint)]
        : [...graphemes.segment(joint)].map(({ segment }) => next(segment)),
    );
}
