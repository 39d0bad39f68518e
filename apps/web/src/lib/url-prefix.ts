import { ORGANIZATION_SLUG_LIMIT, organizationSlug } from '@stet/domain/access';

/** The URL prefix of a new organization. `derived`: it follows the name. `typed`: the person edited it. */
export type UrlPrefix = { from: 'derived' } | { from: 'typed'; text: string };

/** The prefix to show in the field for an organization with this name. */
export const prefixText = (prefix: UrlPrefix, name: string): string =>
  prefix.from === 'typed' ? prefix.text : organizationSlug(name);

/**
 * The prefix after typing in its field. Invalid characters are removed. If the field is empty, it follows the name
 * again.
 */
export function typePrefix(text: string): UrlPrefix {
  const valid = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '')
    .slice(0, ORGANIZATION_SLUG_LIMIT);
  return valid === '' ? { from: 'derived' } : { from: 'typed', text: valid };
}
