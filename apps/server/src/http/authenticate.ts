import { type OrgRole, type Role, permissionsOf } from '@stet/domain/access';
import { z } from 'zod';
import { statement } from '../db/statement.ts';
import type { Actor, Asks } from '../kernel/actor.ts';
import type { Deps } from '../kernel/deps.ts';
import { Refused } from '../kernel/refused.ts';

const findSession = statement({
  name: 'find_session',
  params: ['sessionId'],
  row: z.object({
    user_id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role: z.custom<Role>(),
    org_id: z.uuid().nullable(),
    org_role: z.custom<OrgRole>().nullable(),
    organizations: z.custom<Actor['organizations']>(),
    seen_lately: z.boolean(),
  }),
  text: `select user_id, email, name, role, org_id, org_role, organizations, seen_lately from find_session($1)`,
});

const touchSession = statement({
  name: 'touch_session',
  params: ['sessionId'],
  text: `update sessions set last_seen_at = now() where id = $1 and last_seen_at < now() - interval '1 minute'`,
});

/** The person behind an Authorization header, as the database knows them at this moment. Refuses with 401. */
export async function authenticate(
  { tokens, db }: Deps,
  authorization: string | undefined,
  asks: Asks,
): Promise<Actor> {
  const token = /^Bearer ([\w.-]{20,4096})$/i.exec(authorization ?? '')?.[1];
  if (!token) throw new Refused({ code: 'not_signed_in' });
  const sessionId = await tokens.sessionOf(token);
  const actor = sessionId && (await findActor(db, sessionId, asks));
  if (!actor) throw new Refused({ code: 'session_ended' });
  return actor;
}

/** The actor of a living session, or null. */
export async function findActor(db: Deps['db'], sessionId: string, asks: Asks = 'session'): Promise<Actor | null> {
  const [row] = await db.query(findSession, { sessionId });
  if (!row) return null;
  // Nobody waits for this: when someone was last seen is worth no round trip, and no refusal.
  if (!row.seen_lately) void db.query(touchSession, { sessionId }).catch(() => undefined);
  return {
    userId: row.user_id,
    sessionId,
    email: row.email,
    name: row.name,
    role: row.role,
    orgId: row.org_id,
    orgRole: row.org_role,
    permissions: permissionsOf({ orgRole: row.org_role, globalRole: row.role }),
    organizations: row.organizations,
    asks,
  };
}
