import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteRange } from './byte-range.ts';

describe('the range that a header names', () => {
  it.each([
    ['bytes=0-0', { from: 0, length: 1 }],
    ['bytes=10-19', { from: 10, length: 10 }],
    ['bytes=90-', { from: 90, length: 10 }],
    ['bytes=90-1000', { from: 90, length: 10 }],
    ['bytes=-5', { from: 95, length: 5 }],
    ['bytes=-1000', { from: 0, length: 100 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=20-10', null],
    ['bytes=0-1,3-4', null],
    ['bytes=-', null],
    ['lines=1-2', null],
    ['bytes=a-b', null],
    ['', null],
    [undefined, null],
  ])('in a file of 100 bytes, for %s, is %j', (header, range) => {
    expect(byteRange(header, 100)).toEqual(range);
  });

  it('starts and ends where the header specifies, or ends at the end of the file', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(300), fc.integer({ min: 1, max: 300 }), (from, to, size) => {
        const range = byteRange(`bytes=${from}-${to}`, size);
        if (to < from) expect(range).toBeNull();
        else if (from >= size) expect(range).toBe('unsatisfiable');
        else expect(range).toEqual({ from, length: Math.min(to, size - 1) - from + 1 });
      }),
    );
  });
});
