import { ORGANIZATION_SLUG_LIMIT, organizationSlug } from '@stet/domain/access';

/** An organization's URL prefix while it is being chosen. `derived`: follows the name; `typed`: was edited by hand and stays. */
export type UrlPrefix = { from: 'derived' } | { from: 'typed'; text: string };

/** The prefix as it stands in its field, for an organization of this name. */
export const prefixText = (prefix: UrlPrefix, name: string): string =>
  prefix.from === 'typed' ? prefix.text : organizationSlug(name);

/** What typing into the prefix field gives: only what may be in one; clearing it lets it follow the name again. */
export function typePrefix(text: string): UrlPrefix {
  const kept = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '')
    .slice(0, ORGANIZATION_SLUG_LIMIT);
  return kept === '' ? { from: 'derived' } : { from: 'typed', text: kept };
}
