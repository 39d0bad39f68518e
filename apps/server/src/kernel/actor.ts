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
};

/** An actor within the selected organization: what every tenant route is handed. */
export type OrgActor = Actor & { orgId: string; orgRole: OrgRole };

/** Whom a transaction acts for; it sees this organization's rows and no others. */
export type Tenant = { orgId: string; userId: string | null };

/** Who an audit event names, and the session it came from. */
export const by = (actor: Actor) => ({
  actor: { id: actor.userId, name: actor.name, email: actor.email, kind: 'user' as const },
  sessionId: actor.sessionId,
});
