/** A piece of text; the `same` and `removed` ones make the text before, the `same` and `added` ones the text after. */
export type WordSegment = { kind: 'same' | 'removed' | 'added'; text: string };

/** Pairs of words that are compared at most; past it the middle of the text is replaced as a whole. */
const COMPARISON_LIMIT = 250_000;

/**
 * What changed between two texts, word by word: words, runs of white space and single signs are compared as they stand.
 * Time and memory are bounded: what lies between the common start and the common end is replaced as a whole where it is
 * longer than about 500 words, blanks and signs on both sides.
 */
export function diffWords(before: string, after: string): WordSegment[] {
  const old = wordsOf(before);
  const now = wordsOf(after);
  const shortest = Math.min(old.length, now.length);
  let start = 0;
  while (start < shortest && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shortest - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  return joined([
    ...old.slice(0, start).map((text) => segment('same', text)),
    ...compareWords(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map((text) => segment('same', text)),
  ]);
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

function segment(kind: WordSegment['kind'], text: string): WordSegment {
  return { kind, text };
}

function compareWords(old: readonly string[], now: readonly string[]): WordSegment[] {
  if (old.length * now.length > COMPARISON_LIMIT) {
    return [segment('removed', old.join('')), segment('added', now.join(''))];
  }
  const width = now.length + 1;
  // common[i * width + j]: how many words the rests from i and from j have in common, in order.
  const common = new Uint16Array((old.length + 1) * width);
  const read = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const word = old[i];
    let toTheRight = 0;
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const below = read(i + 1, j);
      toTheRight = word === now[j] ? read(i + 1, j + 1) + 1 : below > toTheRight ? below : toTheRight;
      common[i * width + j] = toTheRight;
    }
  }
  const segments: WordSegment[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    const removed = old[i];
    const added = now[j];
    if (removed !== undefined && removed === added) {
      segments.push(segment('same', removed));
      i += 1;
      j += 1;
    } else if (removed !== undefined && (added === undefined || read(i + 1, j) >= read(i, j + 1))) {
      segments.push(segment('removed', removed));
      i += 1;
    } else if (added !== undefined) {
      segments.push(segment('added', added));
      j += 1;
    }
  }
  return segments;
}

/** Neighbours of a kind as one, within a change the removed before the added; a blank between two changes belongs to them. */
function joined(segments: readonly WordSegment[]): WordSegment[] {
  const result: WordSegment[] = [];
  let same = '';
  let removed = '';
  let added = '';
  const flush = () => {
    if (removed !== '') result.push(segment('removed', removed));
    if (added !== '') result.push(segment('added', added));
    removed = '';
    added = '';
  };
  for (const { kind, text } of segments) {
    if (kind === 'same') {
      same += text;
      continue;
    }
    if (same !== '') {
      const replaced = removed !== '' && added !== '';
      if (replaced && same.trim() === '') {
        removed += same;
        added += same;
      } else {
        flush();
        result.push(segment('same', same));
      }
      same = '';
    }
    if (kind === 'removed') removed += text;
    else added += text;
  }
  flush();
  if (same !== '') result.push(segment('same', same));
  return result;
}
