import { diffArrays } from 'diff';

/** A piece of text. Together, `same` and `removed` are the text before, and `same` and `added` are the text after. */
export type WordSegment = { kind: 'same' | 'removed' | 'added'; text: string };

/** Maximum number of pieces removed and added between two texts. Beyond it, the middle is replaced as a whole. */
const MAX_EDITS = 500;

/**
 * Compares two texts by pieces: words, runs of white space and single other characters. Time and memory are limited: if
 * more than 500 pieces differ, everything between the common start and the common end counts as replaced.
 */
export function diffWords(before: string, after: string): WordSegment[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const changes = diffArrays(old, now, { maxEditLength: MAX_EDITS });
  return joined(
    changes?.map(({ added, removed, value }) => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      text: value.join(''),
    })) ?? replacedMiddle(old, now),
  );
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

function replacedMiddle(old: readonly string[], now: readonly string[]): WordSegment[] {
  const shortest = Math.min(old.length, now.length);
  let start = 0;
  while (start < shortest && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shortest - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return [
    segment('same', old.slice(0, start).join('')),
    segment('removed', old.slice(start, old.length - end).join('')),
    segment('added', now.slice(start, now.length - end).join('')),
    segment('same', old.slice(old.length - end).join('')),
  ];
}

const segment = (kind: WordSegment['kind'], text: string): WordSegment => ({ kind, text });

/**
 * Merges adjacent segments of the same kind and puts removed before added within a change. White space between a
 * replacement and the next change counts as removed and added.
 */
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
