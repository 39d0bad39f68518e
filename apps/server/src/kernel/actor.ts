import {
  type AccountStanding,
  type GroupMembership,
  type NamedPerson,
  type OrgRole,
  type Permission,
  type Role,
  type TokenKind,
  isFirstHand,
} from '@stet/domain/access';

/** An organization, and the person's role in it. */
export type OwnOrganization = {
  id: string;
  name: string;
  type: 'individual' | 'team';
  slug: string | null;
  role: OrgRole;
};

/** The current identity of the caller. For an API token, this is the identity of its owner under the token's name. */
type Identity = {
  userId: string;
  /** Empty for an organization's own token, which has no email address. */
  email: string;
  /** Earlier addresses of the account, by which stored content can name it. */
  formerEmails: readonly string[];
  name: string;
  role: Role;
  /**
   * The selected organization or, if the person has left it or it has ended, the one that they joined first. Null if
   * they are in none.
   */
  orgId: string | null;
  orgRole: OrgRole | null;
  permissions: readonly Permission[];
  /** How well the account is proved in the selected organization, and the consequences for its actions. */
  standing: AccountStanding;
  /** The person's groups in the selected organization. Empty for an organization's token. */
  groups: readonly GroupMembership[];
  /** The organization with the id `orgId`; null if that is null. */
  organization: OwnOrganization | null;
  asks: Asks;
};

/** The signed-in person of a request. */
export type SessionActor = Identity & { sessionId: string; token: null };

/**
 * An API token. It belongs to one organization, regardless of the one that its owner has selected. Only the person who
 * created it was shown its secret. Others may have taken it over since then.
 */
export type TokenActor = Identity & {
  sessionId: null;
  token: { id: string; kind: TokenKind; name: string; createdBy: string };
};

export type Actor = SessionActor | TokenActor;

/** The route's requirement: a permission in the selected organization, or just a session. */
export type Asks = Permission | 'session';

// The permissions of routes for reading workflows and working on runs are checked only once, when a request arrives,
// because these requests are frequent, approve no content, and any assignee may do this work.
const DAILY: ReadonlySet<string> = new Set<Permission>(['workflow.read', 'run.start', 'run.control', 'run.note']);

/** True if a change requires that the person still has the permission at commit. */
export const isGoverned = (asks: Asks | 'public'): asks is Permission =>
  asks !== 'public' && asks !== 'session' && !DAILY.has(asks);

/**
 * Everyone that an action is attributed to, with the actor first. This includes the people who vouch for an unproved
 * account, and accounts with the same mailbox. Two actions are by different people only if these sets are disjoint
 * (docs/second-person.md). If the only people who could confirm an account are those who vouch for it, and reviews
 * aren't strict, its actions count only as its own and are marked. Without this exception, all members of a team
 * without a mail server would count as one person.
 */
export const peopleOf = ({ userId, standing }: Actor): readonly string[] => [
  userId,
  ...(countsForInviters(standing) ? standing.alsoCountsAs : []),
  ...standing.sameMailbox,
];

/** True if the account's actions are also attributed to the people who invited it. */
export const countsForInviters = ({
  hasSecondManager,
  isStrict,
}: Pick<AccountStanding, 'hasSecondManager' | 'isStrict'>): boolean => hasSecondManager || isStrict;

/** Returns the person as steps can name them. An organization's token is named only through its role. */
export const namedPersonOf = ({
  userId,
  token,
  email,
  formerEmails,
  orgRole,
  groups,
  standing,
}: Actor): NamedPerson => ({
  id: token?.kind === 'organization' ? token.id : userId,
  email,
  formerEmails,
  orgRole,
  groups,
  roleByOwnHand: standing.roleByOwnHand,
});

/** An actor in the selected organization. Every tenant route receives one. */
export type OrgActor = Actor & { orgId: string; orgRole: OrgRole };

/**
 * The organization and the actor of a transaction, which can see only the rows of this organization. A job has no
 * actor.
 */
export type Tenant =
  | { orgId: string; userId: null }
  | { orgId: string; userId: string; asks: Asks; token?: TokenActor['token'] | null };

/**
 * True for a signed-in person whom STET_ADMINS names and whose account is proved. A confirmation by a manager isn't
 * enough, because it proves the account only in one organization.
 */
export const isInstallationAdmin = (
  { admins }: { admins: readonly string[] },
  { token, email, standing }: Actor,
): boolean => token === null && admins.includes(email) && isFirstHand(standing.provedBy);

type AuditedBy = {
  actor: {
    id: string;
    name: string;
    email: string;
    kind: 'user' | 'token';
    personId?: string;
    /** The delegator, if the actor acted as a delegate. */
    onBehalfOf?: { id: string; name: string; email: string };
  };
  sessionId?: string;
};

/**
 * Returns the actor and the session for an audit event. A token is recorded under its own name, with the id of the
 * person responsible for it.
 */
export function auditActor({ userId, name, email, sessionId, token }: Actor): AuditedBy {
  return token
    ? { actor: { id: token.id, name, email, kind: 'token', personId: userId } }
    : { actor: { id: userId, name, email, kind: 'user' }, sessionId };
}
