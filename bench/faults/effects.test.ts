import { describe, expect, it } from 'vitest';
import { effectProblems, judgeEffects } from './effects.ts';

const FAULT = { from: 10_000, to: 12_000 };

describe('judgeEffects', () => {
  it.each<[string, number[], object]>([
    ['arrived once', [500], { missing: [], again: 0, unexplained: [] }],
    ['never arrived', [], { missing: ['a'], again: 0, unexplained: [] }],
    ['arrived again, the first time just before a fault', [9500, 27_000], { again: 1, unexplained: [] }],
    ['arrived again, the first time during the fault', [11_000, 27_000], { again: 1, unexplained: [] }],
    ['arrived again, the first time long before a fault', [500, 27_000], { again: 1, unexplained: ['a'] }],
    ['arrived again, the first time after the fault', [13_000, 27_000], { again: 1, unexplained: ['a'] }],
    ['arrived a third time that no fault explains', [9500, 20_000, 27_000], { again: 2, unexplained: ['a'] }],
    ['arrived in a different order than recorded', [27_000, 9500], { again: 1, unexplained: [] }],
  ])('judges an effect that %s (at %j): %j', (_, moments, expected) => {
    const came = new Map(moments.length > 0 ? [['a', moments]] : []);
    expect(judgeEffects(['a'], came, [FAULT])).toMatchObject({ promised: 1, unasked: [], ...expected });
  });

  it('reports effects that were never promised', () => {
    expect(judgeEffects([], new Map([['a', [1]]]), []).unasked).toEqual(['a']);
  });

  it('reports defects, but ignores repeats that a fault explains', () => {
    const came = new Map([
      ['b', [1, 2]],
      ['c', [3]],
      ['d', [9900, 30_000]],
    ]);
    expect(effectProblems('an email', judgeEffects(['a', 'b', 'd'], came, [FAULT]))).toEqual([
      'an email never arrived: a',
      'an email arrived without a promise: c',
      'an email arrived again without a fault: b',
    ]);
  });
});
