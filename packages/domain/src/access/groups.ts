import { plainLatin } from '../defaults/plain-latin.ts';

/**
 * Maximum lengths of a name and a slug in characters; maximum number of groups in an organization and of members in a
 * group.
 */
export const GROUP_LIMITS = { name: 60, slug: 40, groups: 200, members: 500 } as const;

const PREFIX = 'group:';
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * True for a slug that can be saved: lower-case letters and digits, with single hyphens between them, at most 40
 * characters.
 */
export const isGroupSlug = (text: string): boolean => text.length <= GROUP_LIMITS.slug && SLUG.test(text);

/** Returns the slug suggested for a group's name; empty if the name contains no Latin letters or digits. */
export const groupSlug = (name: string): string =>
  plainLatin(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, GROUP_LIMITS.slug)
    .replace(/-$/, '');

/** Returns the text that names a group in a workflow: `group:finance`. */
export const groupAssignee = (slug: string): string => `${PREFIX}${slug}`;

/** Returns the slug of the group that an assignee names, ignoring case and surrounding white space, or null. */
export function assignedGroup(text: string): string | null {
  const name = text.trim().toLowerCase();
  const slug = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : '';
  return isGroupSlug(slug) ? slug : null;
}
