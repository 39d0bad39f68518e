import { PERMISSION_NAMES, type Permission, permissionsOf, roleHas } from './permissions.ts';
import type { OrgRole, Role } from './roles.ts';

/**
 * The owner of an API token: a person, or the organization itself. An organization's token has its own role. If the
 * person responsible for the token leaves the organization, the token is revoked or another manager takes it over.
 */
export const TOKEN_KINDS = ['personal', 'organization'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** Lifetime of a personal token in days: the default offered, and the maximum. */
export const PERSONAL_TOKEN_DAYS = { offered: 90, most: 365 } as const;

/** Roles that an organization's own token can have; only people can be owners. */
export const TOKEN_ROLES = ['admin', 'editor', 'reviewer', 'viewer'] as const satisfies readonly OrgRole[];
export type TokenRole = (typeof TOKEN_ROLES)[number];

// A stolen token must not be able to manage the organization: its members, policies, tokens and webhooks.
const PEOPLE_ALONE: readonly Permission[] = ['org.manage'];
// A review must be traceable to one person.
const PERSONS_OWN: readonly Permission[] = [...PEOPLE_ALONE, 'draft.review', 'step.act_approval', 'step.stand_in'];

const refusedTo = (kind: TokenKind): readonly Permission[] => (kind === 'personal' ? PEOPLE_ALONE : PERSONS_OWN);

/** Returns the scopes that a token of this kind and role can have, in the order of the permission table. */
export function scopesFor(kind: TokenKind, role: OrgRole): Permission[] {
  return PERMISSION_NAMES.filter((name) => roleHas(role, name) && !refusedTo(kind).includes(name));
}

/**
 * Returns the current permissions of a token: its scopes, limited to those its owner's role still has. If the role
 * loses permissions, the token loses them immediately. If the role gains permissions, the token gets only those that
 * are in its scopes.
 */
export function permissionsOfToken(token: {
  kind: TokenKind;
  scopes: readonly string[];
  orgRole: OrgRole;
  globalRole: Role | null;
}): Permission[] {
  const refused = refusedTo(token.kind);
  return permissionsOf(token).filter((name) => token.scopes.includes(name) && !refused.includes(name));
}

const SECRET = /^stet_(pat|org)_[A-Za-z0-9_-]{43}$/;

/** Returns the prefix of a token of this kind; 256 random bits in base64url follow it. */
export const tokenPrefix = (kind: TokenKind): string => (kind === 'personal' ? 'stet_pat_' : 'stet_org_');

/** True if `text` has the format of an API token, even if no such token exists. */
export const isApiToken = (text: string): boolean => SECRET.test(text);
