import LineBreaker from 'linebreak';

// A word that is wider than a line, such as an address, a path or an id, is preferably broken after these characters.
const JOINT = /(?<=[@._\-/:?&=])/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** `at` is the line's position in the text. */
export type Line = { text: string; at: number };
/** Measures the width of a part of the text. `at` is the part's position in the text. */
export type Measure = (text: string, at: number) => number;

/**
 * Breaks text into lines of at most `width`, following UAX #14. If a word is wider than a line, it is broken at its
 * joints. A part between joints that is still too wide is broken anywhere. Only the spaces at the ends of lines are
 * dropped. Tabs become spaces, line breaks in the text are preserved, and an empty text is one empty line.
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
  for (const [from, to] of unbreakable(paragraph)) {
    const chunk = paragraph.slice(from, to);
    const at = start + from;
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

/** Returns the start and end of each unbreakable piece, including the space after it. */
function* unbreakable(paragraph: string): Generator<[number, number]> {
  const breaker = new LineBreaker(paragraph);
  let from = 0;
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    if (next.position > from) yield [from, next.position];
    from = next.position;
  }
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
