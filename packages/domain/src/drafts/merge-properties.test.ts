import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyContent, contentAndEdit } from '../workflows/content.arbitrary.ts';
import { mergeContent, type MergeConflict } from './merge.ts';

describe('any three-way merge', () => {
  const twoSides = fc.oneof(fc.tuple(anyContent, anyContent), contentAndEdit);

  it('equals the live version if the draft changed nothing', () => {
    fc.assert(
      fc.property(twoSides, ([from, live]) => {
        expect(mergeContent(from, live, from)).toEqual({ content: live, conflicts: [] });
      }),
    );
  });

  it('equals the draft if nothing else was merged', () => {
    fc.assert(
      fc.property(twoSides, ([from, draft]) => {
        expect(mergeContent(from, from, draft)).toEqual({ content: draft, conflicts: [] });
      }),
    );
  });

  it('has no conflict if both sides made the same change', () => {
    fc.assert(
      fc.property(twoSides, ([from, both]) => {
        expect(mergeContent(from, both, both)).toEqual({ content: both, conflicts: [] });
      }),
    );
  });

  it('finds the same conflicts if the sides are swapped', () => {
    fc.assert(
      fc.property(anyContent, anyContent, anyContent, (from, live, draft) => {
        const there = mergeContent(from, live, draft).conflicts;
        const back = mergeContent(from, draft, live).conflicts;
        expect(texts(back.map(mirrored))).toEqual(texts(there));
      }),
      { numRuns: 500 },
    );
  });

  it('has unique steps, and links only to these steps', () => {
    fc.assert(
      fc.property(anyContent, anyContent, anyContent, (from, live, draft) => {
        const { steps } = mergeContent(from, live, draft).content;
        const ids = steps.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(steps.flatMap(({ next }) => next).every((target) => ids.includes(target))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

const texts = (conflicts: readonly object[]) => conflicts.map((conflict) => JSON.stringify(conflict)).toSorted();

function mirrored(conflict: MergeConflict): object {
  return { ...conflict, live: conflict.draft, draft: conflict.live };
}
