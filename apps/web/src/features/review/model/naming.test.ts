import { describe, expect, it } from 'vitest';
import { named, namingAt, partsOf, whoMayBeMeant } from './naming.ts';

const SAM = { id: 'sam', name: 'Sam Okafor', email: 'sam@halden.example' };
const OTHER_SAM = { id: 'other', name: 'Sam Okafor', email: 'okafor@halden.example' };
const ELLEN = { id: 'ellen', name: 'Ellen Park', email: 'e.park@halden.example' };

describe('naming someone while typing', () => {
  it.each<[text: string, typed: string | null]>([
    ['@', ''],
    ['Ask @Sa', 'Sa'],
    ['Ask @Sam Oka', 'Sam Oka'],
    ['(@e.p', 'e.p'],
    ['no one', null],
    ['sam@halden', null],
    ['Ask @ Sam', null],
    ['@Sam\nand', null],
  ])('%j: %j', (text, typed) => {
    expect(namingAt(text, text.length)?.typed ?? null).toBe(typed);
  });

  it('looks at what stands before the caret alone', () => {
    expect(namingAt('@Sa and @El', 3)).toEqual({ from: 0, typed: 'Sa' });
  });

  it('offers who is called so, by the beginning of the name first', () => {
    expect(whoMayBeMeant([ELLEN, SAM], '')).toEqual([ELLEN, SAM]);
    expect(whoMayBeMeant([ELLEN, SAM], 'OKA')).toEqual([SAM]);
    expect(whoMayBeMeant([ELLEN, SAM], 'e.p')).toEqual([ELLEN]);
    expect(whoMayBeMeant([ELLEN, SAM], 'x')).toEqual([]);
  });

  it('puts the name in the place of what was typed, or the address where two have the name', () => {
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

describe('a comment in parts', () => {
  it('is whole again, with who is named in it', () => {
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
