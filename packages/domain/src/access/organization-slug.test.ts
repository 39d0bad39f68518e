import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOrganizationSlug, organizationSlug } from './organization-slug.ts';

describe("an organization's URL prefix", () => {
  it.each([
    ['Halden Works', 'halden-works'],
    ['  Müller & Söhne, GmbH ', 'muller-sohne-gmbh'],
    ['Ærø & Łódź', 'aero-lodz'],
    ['a - b', 'a-b'],
    ['--Acme--', 'acme'],
    ['A\tB\u00a0C', 'a-b-c'],
    ['a_b', 'ab'],
    ['The Very Long Organization Name Ltd', 'the-very-long-organization-nam'],
    [`${'x'.repeat(29)} y`, 'x'.repeat(29)],
    ['株式会社', ''],
    ['', ''],
  ])('is derived from %j as %j', (name, slug) => {
    expect(organizationSlug(name)).toBe(slug);
  });

  it('is always valid or empty, and doesn’t change if it is derived again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const slug = organizationSlug(name);
        expect(slug === '' || isOrganizationSlug(slug)).toBe(true);
        expect(organizationSlug(slug)).toBe(slug);
      }),
    );
  });

  it('can be 30 characters long', () => {
    expect(isOrganizationSlug('a-1'.repeat(10))).toBe(true);
  });

  it.each(['', 'A', 'a b', 'a_b', 'ä', 'x'.repeat(31), 'a\n'])('can’t be %j', (text) => {
    expect(isOrganizationSlug(text)).toBe(false);
  });
});
