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

/**
 * Breaks a text into lines that are at most `width` wide; a word that is wider than a line is broken within, at a joint
 * where it has one. Nothing but
 * the space at a break is left out. Line ends in the text stay; an empty text is one empty line.
 */
export function wrap(text: string, width: number, measure: (text: string) => number): string[] {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .flatMap((paragraph) => wrapParagraph(paragraph.replaceAll('\t', ' '), width, measure));
}

function wrapParagraph(paragraph: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const take = (part: string): void => {
    line += part;
    used += measure(part);
  };
  const end = (): void => {
    lines.push(line.trimEnd());
    line = '';
    used = 0;
  };
  for (const [chunk] of paragraph.matchAll(CHUNK)) {
    const visible = measure(chunk.trimEnd());
    if (line !== '' && used + visible > width) end();
    if (visible <= width) take(chunk);
    else
      for (const part of partsOf(chunk, width, measure)) {
        if (line !== '' && used + measure(part.trimEnd()) > width) end();
        take(part);
      }
  }
  end();
  return lines;
}

function partsOf(word: string, width: number, measure: (text: string) => number): string[] {
  return word
    .split(JOINT)
    .flatMap((part) =>
      measure(part.trimEnd()) <= width ? [part] : [...graphemes.segment(part)].map(({ segment }) => segment),
    );
}
