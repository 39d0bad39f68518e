import { expect, it } from 'vitest';
import { chunkLength, chunksOf, evidenceIn, FILE_LIMITS, MEGABYTE, sizeWords } from './evidence.ts';

it.each([
  [1, '1 byte'],
  [999, '999 bytes'],
  [1023, '1023 bytes'],
  [1024, '1.0 kB'],
  [1_048_063, '1023 kB'],
  [1_048_064, '1.0 MB'],
  [2_400_000, '2.3 MB'],
  // The limit of a file, and the default limit of an organization.
  [FILE_LIMITS.bytes, '25 MB'],
  [5000 * MEGABYTE, '5000 MB'],
  [10_240 * MEGABYTE, '10 GB'],
])('%s bytes are %s', (bytes, words) => {
  expect(sizeWords(bytes)).toBe(words);
});

it.each([1, FILE_LIMITS.chunk, FILE_LIMITS.chunk + 1, FILE_LIMITS.bytes])('chunks cover %s bytes exactly', (size) => {
  const lengths = Array.from({ length: chunksOf(size) }, (_, n) => chunkLength(size, n));
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(size);
  expect(lengths.every((length) => length > 0)).toBe(true);
  expect(chunkLength(size, lengths.length)).toBe(0);
});

it('the files of an output are those in its form, in order', () => {
  const file = { fileId: 'a', sha256: 'ab'.repeat(32), size: 1, name: 'a.pdf', mediaType: 'application/pdf' };
  const other = { ...file, fileId: 'b' };
  const fields = { first: [file], note: 'text', second: [other, { ...file, sha256: 'x' }], many: ['a'] };
  expect(evidenceIn({ text: '', fields })).toEqual([file, other]);
  for (const none of [null, 'text', 5, [], {}, { fields: null }, { fields: 'x' }, { offer: [file] }])
    expect(evidenceIn(none)).toEqual([]);
});
