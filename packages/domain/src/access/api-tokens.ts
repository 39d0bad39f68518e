import { PERMISSION_NAMES, type Permission, permissionsOf, roleHas } from './permissions.ts';
import type { OrgRole, Role } from './roles.ts';

/**
 * Whose an API token is: a person's, or the organization's own, which has a role and goes on when the person who made it
 * leaves. Somebody answers for either.
 */
export const TOKEN_KINDS = ['personal', 'organization'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** Roles that an organization's own token can have; nobody is an owner but people. */
export const TOKEN_ROLES = ['admin', 'editor', 'reviewer', 'viewer'] as const satisfies readonly OrgRole[];
export type TokenRole = (typeof TOKEN_ROLES)[number];

// Members, policies, tokens and webhooks decide who may do anything at all: no stolen token may reach them.
const PEOPLE_ALONE: readonly Permission[] = ['org.manage'];
// A review is the word of a person whom everyone can name.
const PERSONS_OWN: readonly Permission[] = [...PEOPLE_ALONE, 'draft.review', 'step.act_approval', 'step.stand_in'];

const refusedTo = (kind: TokenKind): readonly Permission[] => (kind === 'personal' ? PEOPLE_ALONE : PERSONS_OWN);

/** The scopes that a token of this kind can be given where its role is `role`, in the order of the permission table. */
export function scopesFor(kind: TokenKind, role: OrgRole): Permission[] {
  return PERMISSION_NAMES.filter((name) => roleHas(role, name) && !refusedTo(kind).includes(name));
}

/**
 * What a token may do now: its scopes, as far as the role of whoever it belongs to still has them. A role that was
 * narrowed narrows the token at once; one that was widened gives it nothing that it was not made for.
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

/** The beginning of a token of this kind; what follows are 256 random bits in base64url. */
export const tokenPrefix = (kind: TokenKind): string => (kind === 'personal' ? 'stet_pat_' : 'stet_org_');

/** True for a text in the form of an API token, whether or not there is such a one. */
export const isApiToken = (text: string): boolean => SECRET.test(text);
