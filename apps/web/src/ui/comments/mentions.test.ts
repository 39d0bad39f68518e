import { describe, expect, it } from 'vitest';
import { named, mentionAt, partsOf, mentionCandidates } from './mentions.ts';

const SAM = { id: 'sam', name: 'Sam Okafor', email: 'sam@halden.example' };
const OTHER_SAM = { id: 'other', name: 'Sam Okafor', email: 'okafor@halden.example' };
const ELLEN = { id: 'ellen', name: 'Ellen Park', email: 'e.park@halden.example' };

describe('typing a mention', () => {
  it.each<[text: string, typed: string | null]>([
    ['@', ''],
    ['Ask @Sa', 'Sa'],
    ['Ask @Sam Oka', 'Sam Oka'],
    ['(@e.p', 'e.p'],
    ['no one', null],
    ['sam@halden', null],
    ['Ask @ Sam', null],
    ['@Sam\nand', null],
  ])('the typed name in %j is %j', (text, typed) => {
    expect(mentionAt(text, text.length)?.typed ?? null).toBe(typed);
  });

  it('uses only the text before the caret', () => {
    expect(mentionAt('@Sa and @El', 3)).toEqual({ from: 0, typed: 'Sa' });
  });

  it('suggests people whose name or address matches', () => {
    expect(mentionCandidates([ELLEN, SAM], '')).toEqual([ELLEN, SAM]);
    expect(mentionCandidates([ELLEN, SAM], 'OKA')).toEqual([SAM]);
    expect(mentionCandidates([ELLEN, SAM], 'e.p')).toEqual([ELLEN]);
    expect(mentionCandidates([ELLEN, SAM], 'x')).toEqual([]);
  });

  it('inserts the name, or the address if two people have the same name', () => {
    expect(named('Ask @sa, please', { from: 4, caret: 7 }, SAM, [SAM, ELLEN])).toEqual({
      text: 'Ask @Sam Okafor , please',
      caret: 16,
    });
    expect(named('@sa now', { from: 0, caret: 3 }, SAM, [SAM, OTHER_SAM])).toEqual({
      text: '@sam@halden.example now',
      caret: 20,
    });
  });
});

describe('a comment’s parts', () => {
  it('identify the mentioned people and add up to the original text', () => {
    const body = '@Sam and @Ellen Park!';
    const parts = partsOf(body, [
      { userId: 'sam', from: 0, to: 4 },
      { userId: 'ellen', from: 9, to: 20 },
    ]);
    expect(parts.map(({ text }) => text).join('')).toBe(body);
    expect(parts.filter(({ userId }) => userId !== null)).toEqual([
      { text: '@Sam', userId: 'sam' },
      { text: '@Ellen Park', userId: 'ellen' },
    ]);
    expect(partsOf('short', [{ userId: 'sam', from: 3, to: 9 }])).toEqual([{ text: 'short', userId: null }]);
  });
});
