import type { AccountStanding, OrgRole, Permission, Role, TokenKind } from '@stet/domain/access';

/** The current identity of the caller: a person, or for a token its owner. */
type Identity = {
  userId: string;
  /** Empty for an organization's own token, which has no mail address. */
  email: string;
  name: string;
  role: Role;
  /** Null if no organization is selected or the person is no longer a member of it. */
  orgId: string | null;
  orgRole: OrgRole | null;
  permissions: readonly Permission[];
  /** The account's proof in the selected organization, and its effect on the account's actions. */
  standing: AccountStanding;
  organizations: { id: string; name: string; type: 'individual' | 'team'; slug: string | null; role: OrgRole }[];
  asks: Asks;
};

/** The signed-in person of a request. */
export type SessionActor = Identity & { sessionId: string; token: null };

/** An API token; it belongs to one organization, whatever its owner has selected. */
export type TokenActor = Identity & { sessionId: null; token: { id: string; kind: TokenKind; name: string } };

export type Actor = SessionActor | TokenActor;

/** What the route requires: a permission in the selected organization, or just a session. */
export type Asks = Permission | 'session';

// Permission for work on runs is checked once, on arrival: it is the hot path, approves no content, and any assignee
// may do it.
const DAILY: ReadonlySet<string> = new Set<Permission>(['workflow.read', 'run.start', 'run.control']);

/** True if a change is saved only if the person still has the permission at commit. */
export const isGoverned = (asks: Asks | 'public'): asks is Permission =>
  asks !== 'public' && asks !== 'session' && !DAILY.has(asks);

/**
 * Everyone to whom an action is attributed, the actor first: also the people who vouch for an unproved account, and
 * accounts of the same mailbox. Two actions are by different people only if these sets are disjoint (who may act, rule
 * 1). If only those who vouch for an account could confirm it, it acts for itself and its actions are marked instead,
 * so that a team without a mail server has more than one person.
 */
export const peopleOf = ({ userId, standing }: Actor): readonly string[] => [
  userId,
  ...(countsForInviters(standing) ? standing.alsoCountsAs : []),
  ...standing.sameMailbox,
];

/** True if the account's actions are also attributed to the people who invited it. */
export const countsForInviters = ({ hasSecondManager, isStrict }: Actor['standing']): boolean =>
  hasSecondManager || isStrict;

/** An actor within the selected organization; every tenant route receives one. */
export type OrgActor = Actor & { orgId: string; orgRole: OrgRole };

/** The organization and actor of a transaction, which sees only this organization's rows. A job has no actor. */
export type Tenant =
  | { orgId: string; userId: null }
  | { orgId: string; userId: string; asks: Asks; token?: TokenActor['token'] | null };

type AuditedBy = {
  actor: { id: string; name: string; email: string; kind: 'user' | 'token'; personId?: string };
  sessionId?: string;
};

/** The actor and session of an audit event. A token has its own name, with that of the person responsible for it. */
export function auditActor({ userId, name, email, sessionId, token }: Actor): AuditedBy {
  return token
    ? { actor: { id: token.id, name, email, kind: 'token', personId: userId } }
    : { actor: { id: userId, name, email, kind: 'user' }, sessionId };
}
