import type { OrgRole, Permission, Role } from '@stet/domain/access';

/** The signed-in person of a request, as the database knows them now. */
export type Actor = {
  userId: string;
  sessionId: string;
  email: string;
  name: string;
  role: Role;
  /** Null where no organization is selected or the person is no member of it any more. */
  orgId: string | null;
  orgRole: OrgRole | null;
  permissions: readonly Permission[];
  organizations: { id: string; name: string; type: 'individual' | 'team'; slug: string | null; role: OrgRole }[];
  asks: Asks;
};

/** What the route that a person came by asks for: a permission in the selected organization, or nothing but their session. */
export type Asks = Permission | 'session';

// Work on runs is judged as the request came in: it is the hot path, approves no content, and may be anyone's who is assigned.
const DAILY: ReadonlySet<string> = new Set<Permission>(['workflow.read', 'run.start', 'run.control']);

/** True where a change is kept only if the person holds the permission still at the commit. */
export const isGoverned = (asks: Asks | 'public'): asks is Permission =>
  asks !== 'public' && asks !== 'session' && !DAILY.has(asks);

/** An actor within the selected organization: what every tenant route is handed. */
export type OrgActor = Actor & { orgId: string; orgRole: OrgRole };

/** Whom a transaction acts for; it sees this organization's rows and no others. A job acts for nobody. */
export type Tenant = { orgId: string; userId: null } | { orgId: string; userId: string; asks: Asks };

/** Who an audit event names, and the session it came from. */
export const by = (actor: Actor) => ({
  actor: { id: actor.userId, name: actor.name, email: actor.email, kind: 'user' as const },
  sessionId: actor.sessionId,
});
