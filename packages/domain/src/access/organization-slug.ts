import { plainLatin } from '../defaults/plain-latin.ts';
import { ORGANIZATION_SLUG_LIMIT } from '../defaults/table.ts';

export { ORGANIZATION_SLUG_LIMIT };

/**
 * The URL prefix suggested by an organization's name (specification, section 5): lower case, letters without accents; only letters, digits
 * and hyphens; each run of white space and hyphens becomes one hyphen; none at the ends; at most 30 characters. Empty if
 * nothing remains; the person then types a prefix.
 */
export function organizationSlug(name: string): string {
  return plainLatin(name)
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
