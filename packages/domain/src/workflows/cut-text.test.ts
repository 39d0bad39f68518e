import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText } from './cut-text.ts';

test('a cut text is valid, within the limit, and as long as possible', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '🚀', 'é') }),
      fc.integer({ min: -2, max: 30 }),
      (text, limit) => {
        const cut = cutText(text, limit);
        expect(cut.isWellFormed()).toBe(true);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(Math.max(0, limit));
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, limit - 1));
      },
    ),
  );
});
