import { ORGANIZATION_SLUG_LIMIT, organizationSlug } from '@stet/domain/access';

/**
 * An organization's URL prefix while being chosen. `derived`: follows the name; `typed`: was edited by hand and stays.
 */
export type UrlPrefix = { from: 'derived' } | { from: 'typed'; text: string };

/** The prefix shown in its field for an organization with this name. */
export const prefixText = (prefix: UrlPrefix, name: string): string =>
  prefix.from === 'typed' ? prefix.text : organizationSlug(name);

/** The prefix after typing in its field: only valid characters; clearing it makes it follow the name again. */
export function typePrefix(text: string): UrlPrefix {
  const kept = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '')
    .slice(0, ORGANIZATION_SLUG_LIMIT);
  return kept === '' ? { from: 'derived' } : { from: 'typed', text: kept };
}
