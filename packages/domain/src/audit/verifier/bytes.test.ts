import { describe, expect, it } from 'vitest';
import { canonicalJson, MAX_CANONICAL_DEPTH } from '../../workflows/canonical-json.ts';
import { canonicalText } from './bytes.ts';

const nested = (levels: number, wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
};

describe('a value’s canonical text', () => {
  it.each<unknown>([
    null,
    true,
    0,
    -0,
    1e21,
    0.1,
    '',
    'a"\n\u2028 世界 😀',
    [],
    {},
    [1, 'a', null, [2]],
    { toString: 1, valueOf: null },
    { b: 1, a: { d: [], c: 'x' }, ä: 2, '😀': 3, '\uffff': 4 },
  ])('equals the payload that the product writes: %j', (value) => {
    expect(canonicalText(value)).toBe(canonicalJson(value));
  });

  it.each([
    ['lists', (inner: unknown) => [inner]],
    ['records', (inner: unknown) => ({ a: inner })],
  ])('is limited to the same depth as in the product (nested %s)', (_, wrap) => {
    const deepest = nested(MAX_CANONICAL_DEPTH, wrap);
    expect(canonicalText(deepest)).toBe(canonicalJson(deepest));
    const deeper = nested(MAX_CANONICAL_DEPTH + 1, wrap);
    expect(() => canonicalJson(deeper)).toThrow('nested too deeply');
    expect(() => canonicalText(deeper)).toThrow('nested too deeply');
  });

  it('can’t contain a lone surrogate in a value or key', () => {
    for (const value of ['\ud83d', 'a\ude00', ['\ud83d'], { '\ud83d': 1 }, { a: '\ude00' }]) {
      expect(() => canonicalJson(value)).toThrow('lone surrogate');
      expect(() => canonicalText(value)).toThrow('lone surrogate');
    }
  });
});
