import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, isWellFormed, NotCanonical, sameJson } from './canonical-json.ts';

describe('canonical JSON', () => {
  it('writes the example of RFC 8785, section 3.2.2', () => {
    const value: unknown = JSON.parse(
      String.raw`{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}`,
    );
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('orders keys by UTF-16 code units, as in RFC 8785, section 3.2.3', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    const order = [...canonicalJson(value).matchAll(/:"([^"]+)"/g)].map(([, name]) => name);
    expect(order).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  it.each([
    [0, '0'],
    [-0, '0'],
    [5e-324, '5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [9007199254740992, '9007199254740992'],
    [295147905179352830000, '295147905179352830000'],
    [1e21, '1e+21'],
    [9.999999999999997e-7, '9.999999999999997e-7'],
    [0.000001, '0.000001'],
  ])('writes the number %d as %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('drops undefined properties', () => {
    expect(canonicalJson({ a: undefined, b: [{ c: undefined }] })).toBe('{"b":[{}]}');
  });

  it.each([
    ['undefined', undefined],
    ['undefined in a list', [undefined]],
    ['a hole in a list', Array(1)],
    ['NaN', Number.NaN],
    ['an infinity', [Number.NEGATIVE_INFINITY]],
    ['a bigint', 1n],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a lone high surrogate', 'a\ud83d'],
    ['a lone low surrogate', { a: '\ude00b' }],
    ['a lone surrogate in a key', { '\ud83d': 1 }],
  ])('refuses %s', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(NotCanonical);
  });

  it('refuses a cycle without a stack overflow', () => {
    const value: unknown[] = [];
    value.push(value);
    expect(() => canonicalJson(value)).toThrow(NotCanonical);
  });

  it('parses to the same value and doesn’t depend on the insertion order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(withKeysReversed(value))).toBe(text);
      }),
    );
  });

  it('is the same for two values if and only if they are equal', () => {
    const small = fc.jsonValue({ maxDepth: 2 });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.tuple(small, small),
          small.map((value) => [value, withKeysReversed(value)]),
        ),
        ([a, b]) => {
          expect(sameJson(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
        },
      ),
    );
    expect(sameJson({ a: 1, b: undefined }, { c: undefined, a: 1 })).toBe(true);
    expect(sameJson({ a: null }, { b: null })).toBe(false);
    expect(sameJson({ a: undefined, b: 1 }, { a: 1 })).toBe(false);
    expect(sameJson({ valueOf: 1 }, { other: 1 })).toBe(false);
    expect(sameJson({}, [])).toBe(false);
    expect(sameJson(null, {})).toBe(false);
  });

  it('distinguishes whole surrogate pairs from halves', () => {
    expect(isWellFormed('\ud83d\ude00')).toBe(true);
    expect(isWellFormed('\ude00\ud83d')).toBe(false);
  });
});

function withKeysReversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withKeysReversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, withKeysReversed(member)]),
  );
}
