import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GROUP_LIMITS, assignedGroup, groupAssignee, groupSlug, isGroupSlug } from './groups.ts';

describe('the slug of a group', () => {
  it.each([
    ['Finance', 'finance'],
    ['Legal & Compliance', 'legal-compliance'],
    ['  Qualität (Zürich) ', 'qualitat-zurich'],
    ['QA_2', 'qa-2'],
    ['財務', ''],
    ['--', ''],
  ])('suggested for %j is %j', (name, slug) => {
    expect(groupSlug(name)).toBe(slug);
  });

  it('can always be saved, unless it is empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const slug = groupSlug(name);
        return slug === '' || isGroupSlug(slug);
      }),
    );
  });

  it.each(['', 'Finance', 'a b', '-a', 'a-', 'a--b', 'a:b', 'ä', 'a,b', 'x'.repeat(GROUP_LIMITS.slug + 1)])(
    '%j is refused',
    (slug) => {
      expect(isGroupSlug(slug)).toBe(false);
    },
  );
});

describe('a group named by a workflow', () => {
  it.each([
    ['group:finance', 'finance'],
    [' Group:Finance ', 'finance'],
    ['group: finance', null],
    ['group:', null],
    ['finance', null],
    ['group:fi nance', null],
  ])('%j names %j', (text, slug) => {
    expect(assignedGroup(text)).toBe(slug);
  });

  it('is read back from the text that names it', () => {
    expect(assignedGroup(groupAssignee('legal-2'))).toBe('legal-2');
  });
});
