import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffWords, type WordSegment } from './diff-words.ts';

const marked = (segments: readonly WordSegment[]) =>
  segments.map(({ kind, text }) => ({ same: text, removed: `[-${text}-]`, added: `{+${text}+}` })[kind]).join('');
const textOf = (segments: readonly WordSegment[], side: 'removed' | 'added') =>
  segments
    .filter(({ kind }) => kind === 'same' || kind === side)
    .map(({ text }) => text)
    .join('');

describe('the diff of two texts', () => {
  it.each([
    ['', '', ''],
    ['same', 'same', 'same'],
    ['', 'new', '{+new+}'],
    ['old', '', '[-old-]'],
    ['Collect tax documents', 'Collect tax and bank documents', 'Collect tax {+and bank +}documents'],
    ['1 day', '1 day 4 hours', '1 day{+ 4 hours+}'],
    ['From 75 points', 'From 60 points', 'From [-75-]{+60+} points'],
    ['one two three', 'four five three', '[-one two-]{+four five+} three'],
    ['a, b', 'a; b', 'a[-,-]{+;+} b'],
  ])('%j to %j is %j', (before, after, expected) => {
    expect(marked(diffWords(before, after))).toBe(expected);
  });

  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom('a', 'b', 'word', ' ', '\n', '.', '😀', 'é')).map((words) => words.join('')),
  );

  it('gives back both texts, with no two neighbours of a kind and no empty piece', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const segments = diffWords(before, after);
        expect(textOf(segments, 'removed')).toBe(before);
        expect(textOf(segments, 'added')).toBe(after);
        expect(
          segments.every((segment, index) => segment.text !== '' && segment.kind !== segments[index + 1]?.kind),
        ).toBe(true);
      }),
    );
  });

  it('replaces the middle of very long texts as a whole, and keeps what both begin and end with', () => {
    const words = (name: string) => Array.from({ length: 2000 }, (_, n) => `${name}${n}`).join(' ');
    const segments = diffWords(`start ${words('a')} end`, `start ${words('b')} end`);
    expect(segments.map(({ kind }) => kind)).toEqual(['same', 'removed', 'added', 'same']);
  });
});
