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

/** Length of the longest common subsequence of characters. */
function mostInCommon(one: string, other: string): number {
  if (one === '' || other === '') return 0;
  if (one[0] === other[0]) return 1 + mostInCommon(one.slice(1), other.slice(1));
  return Math.max(mostInCommon(one.slice(1), other), mostInCommon(one, other.slice(1)));
}

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
    ['a  b', 'a b', 'a[-  -]{+ +}b'],
    [' ', 'a b', '{+a+} {+b+}'],
    ['a b', ' ', '[-a-] [-b-]'],
    ['a b', 'c ', '[-a b-]{+c +}'],
    ['a ', 'c d', '[-a -]{+c d+}'],
    ['a.b', 'c.d', '[-a-]{+c+}.[-b-]{+d+}'],
    ['.,', ',.', '[-.-],{+.+}'],
    ['.,;:', ':.,', '{+:+}.,[-;:-]'],
    ['one two three four', 'zero two five three six', '[-one-]{+zero+} two {+five +}three [-four-]{+six+}'],
  ])('shows %j → %j as %j', (before, after, expected) => {
    expect(marked(diffWords(before, after))).toBe(expected);
  });

  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom('a', 'b', 'word', ' ', '\n', '.', '😀', 'é')).map((words) => words.join('')),
  );

  it('contains both texts, without adjacent pieces of the same kind or empty pieces', () => {
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

  it('keeps the longest common subsequence of punctuation characters', () => {
    const signs = fc.array(fc.constantFrom('.', ',', ';'), { minLength: 3, maxLength: 9 }).map((list) => list.join(''));
    fc.assert(
      fc.property(signs, signs, (before, after) => {
        const same = diffWords(before, after).filter(({ kind }) => kind === 'same');
        expect(same.reduce((sum, { text: kept }) => sum + kept.length, 0)).toBe(mostInCommon(before, after));
      }),
      { numRuns: 300 },
    );
  });

  it('compares piece by piece only texts that differ in at most 500 pieces', () => {
    const around = (sign: string, behind: number) => `${sign.repeat(125)}m${sign.repeat(behind)}`;
    const kinds = (behind: number) =>
      diffWords(around('?', 125), around('!', behind)).map(({ kind, text: { length } }) => [kind, length]);
    expect(kinds(125)).toEqual([
      ['removed', 125],
      ['added', 125],
      ['same', 1],
      ['removed', 125],
      ['added', 125],
    ]);
    expect(diffWords(around('?', 125), around('!', 126))).toEqual([
      { kind: 'removed', text: around('?', 125) },
      { kind: 'added', text: around('!', 126) },
    ]);
  });

  it('keeps the common end of very long texts', () => {
    const end = Array.from({ length: 40 }, (_, n) => `end${n}`).join(' ');
    const [before, after] = ['a', 'b'].map((sign) => Array.from({ length: 500 }, (_, n) => `${sign}${n}`).join('.'));
    expect(diffWords(`${before}.${end}`, `${after}.${end}`)).toEqual([
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
      { kind: 'same', text: `.${end}` },
    ]);
  });

  it('replaces the middle of very long texts as a whole and keeps the common beginning and end', () => {
    const words = (name: string) => Array.from({ length: 2000 }, (_, n) => `${name}${n}`).join(' ');
    const segments = diffWords(`start ${words('a')} end`, `start ${words('b')} end`);
    expect(segments.map(({ kind }) => kind)).toEqual(['same', 'removed', 'added', 'same']);
  });
});
