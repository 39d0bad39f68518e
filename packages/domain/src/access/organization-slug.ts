import { plainLatin } from '../defaults/plain-latin.ts';
import { ORGANIZATION_SLUG_LIMIT } from '../defaults/table.ts';

export { ORGANIZATION_SLUG_LIMIT };

/**
 * Returns the URL prefix suggested for an organization's name (specification, section 5): lower-case letters without
 * accents, digits and hyphens, at most 30 characters. Each run of white space and hyphens becomes one hyphen, and there
 * are none at the ends. Empty if nothing remains; the person then has to choose a prefix.
 */
export function organizationSlug(name: string): string {
  return plainLatin(name)
    .replaceAll(/[^a-z0-9\s-]/g, '')
    .replaceAll(/[\s-]+/g, '-')
    .replace(/^-/, '')
    .slice(0, ORGANIZATION_SLUG_LIMIT)
    .replace(/-$/, '');
}

/**
 * True for a URL prefix that may be saved: 1 to 30 lower-case letters, digits and hyphens (specification, section 5).
 */
export function isOrganizationSlug(text: string): boolean {
  return text.length <= ORGANIZATION_SLUG_LIMIT && /^[a-z0-9-]+$/.test(text);
}
