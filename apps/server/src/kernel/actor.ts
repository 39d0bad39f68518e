import type { AccountStanding, OrgRole, Permission, Role, TokenKind } from '@stet/domain/access';

/** Who asks, as the database knows them now: a person, or for a token the person who answers for it. */
type Identity = {
  userId: string;
  /** Empty for an organization's own token: no mail address is anybody's there. */
  email: string;
  name: string;
  role: Role;
  /** Null where no organization is selected or the person is no member of it any more. */
  orgId: string | null;
  orgRole: OrgRole | null;
  permissions: readonly Permission[];
  /** How the account is proved in the selected organization, and what follows for its acts. */
  standing: AccountStanding;
  organizations: { id: string; name: string; type: 'individual' | 'team'; slug: string | null; role: OrgRole }[];
  asks: Asks;
};

/** The signed-in person of a request. */
export type SessionActor = Identity & { sessionId: string; token: null };

/** An API token; it belongs to one organization, whatever its person has selected. */
export type TokenActor = Identity & { sessionId: null; token: { id: string; kind: TokenKind; name: string } };

export type Actor = SessionActor | TokenActor;

/** What the route that a person came by asks for: a permission in the selected organization, or nothing but their session. */
export type Asks = Permission | 'session';

// Work on runs is judged as the request came in: it is the hot path, approves no content, and may be anyone's who is assigned.
const DAILY: ReadonlySet<string> = new Set<Permission>(['workflow.read', 'run.start', 'run.control']);

/** True where a change is kept only if the person holds the permission still at the commit. */
export const isGoverned = (asks: Asks | 'public'): asks is Permission =>
  asks !== 'public' && asks !== 'session' && !DAILY.has(asks);

/**
 * Everyone whose act it is, the actor first: those behind an account that isn't proved, and accounts of the same mailbox. Two
 * acts are by two people only if these sets share nobody (who may act, rule 1).
 */
export const peopleOf = ({ userId, standing }: Actor): readonly string[] => [
  userId,
  ...standing.alsoCountsAs,
  ...standing.sameMailbox,
];

/** An actor within the selected organization: what every tenant route is handed. */
export type OrgActor = Actor & { orgId: string; orgRole: OrgRole };

/** Whom a transaction acts for; it sees this organization's rows and no others. A job acts for nobody. */
export type Tenant =
  | { orgId: string; userId: null }
  | { orgId: string; userId: string; asks: Asks; token?: TokenActor['token'] | null };

type AuditedBy = {
  actor: { id: string; name: string; email: string; kind: 'user' | 'token'; personId?: string };
  sessionId?: string;
};

/** Who an audit event names, and the session it came from. A token is named itself, with the person who answers for it. */
export function by({ userId, name, email, sessionId, token }: Actor): AuditedBy {
  return token
    ? { actor: { id: token.id, name, email, kind: 'token', personId: userId } }
    : { actor: { id: userId, name, email, kind: 'user' }, sessionId };
}
