import fc from 'fast-check';
import { expect, it } from 'vitest';
import { normalizedTag, normalizedTags } from './tags.ts';

it('tags are stored in lower case, sorted and without repetitions', () => {
  expect(normalizedTags([' Payments', 'EU  customers', 'payments', ' ', 'Cafe\u0301'])).toEqual([
    'caf\u00e9',
    'eu customers',
    'payments',
  ]);
});

it('normalizing stored tags again changes nothing, whatever their order', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (tags) => {
      const stored = normalizedTags(tags);
      expect(normalizedTags(stored.toReversed())).toEqual(stored);
      expect(stored.every((tag) => normalizedTag(tag) === tag)).toBe(true);
    }),
  );
});
