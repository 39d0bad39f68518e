import { expect, it } from 'vitest';
import { chunkLength, chunksOf, FILE_LIMITS, sizeWords } from './evidence.ts';

it.each([
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [999_949, '1000 kB'],
  [2_400_000, '2.4 MB'],
  [26_214_400, '26 MB'],
  [5_000_000_000, '5000 MB'],
])('%s bytes are %s', (bytes, words) => {
  expect(sizeWords(bytes)).toBe(words);
});

it.each([1, FILE_LIMITS.chunk, FILE_LIMITS.chunk + 1, FILE_LIMITS.bytes])('chunks cover %s bytes exactly', (size) => {
  const lengths = Array.from({ length: chunksOf(size) }, (_, n) => chunkLength(size, n));
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(size);
  expect(lengths.every((length) => length > 0)).toBe(true);
  expect(chunkLength(size, lengths.length)).toBe(0);
});
