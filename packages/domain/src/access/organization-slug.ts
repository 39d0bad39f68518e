import { ORGANIZATION_SLUG_LIMIT } from '../defaults/table.ts';

export { ORGANIZATION_SLUG_LIMIT };

/**
 * The URL prefix that an organization's name suggests: lower case, only letters, digits, spaces and hyphens, white space
 * to hyphens, repeated hyphens as one, none at the ends, 30 characters at most (specification, section 5). Empty when
 * nothing is left; the person then types one.
 */
export function organizationSlug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9\s-]/g, '')
    .replaceAll(/[\s-]+/g, '-')
    .replace(/^-/, '')
    .slice(0, ORGANIZATION_SLUG_LIMIT)
    .replace(/-$/, '');
}

/** True for a URL prefix that may be saved: 1 to 30 lower-case letters, digits and hyphens (specification, section 5). */
export function isOrganizationSlug(text: string): boolean {
  return text.length <= ORGANIZATION_SLUG_LIMIT && /^[a-z0-9-]+$/.test(text);
}
