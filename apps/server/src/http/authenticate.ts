import {
  type AccountStanding,
  type OrgRole,
  type Permission,
  type Proof,
  type Role,
  type TokenKind,
  isApiToken,
  permissionsOf,
  permissionsOfToken,
  withheldPermissions,
} from '@stet/domain/access';
import { z } from 'zod';
import { statement } from '../db/statement.ts';
import type { Actor, Asks, SessionActor, TokenActor } from '../kernel/actor.ts';
import type { Deps } from '../kernel/deps.ts';
import { hashOfToken } from '../kernel/derive.ts';
import { Refused } from '../kernel/refused.ts';

/** What the database answers of an account's proof: `standing` only where the account itself isn't proved. */
export const proofColumns = {
  proved_by: z.custom<Proof | null>(),
  standing: z.custom<
    | { provedBy: Proof }
    | { alsoCountsAs: string[]; hasSecondManager: boolean; secondManagerUntil: string | null; isManaged: boolean }
    | null
  >(),
  same_mailbox: z.custom<string[]>(),
};
type ProofRow = z.output<z.ZodObject<typeof proofColumns>>;

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
    ...proofColumns,
  }),
  text: `select user_id, email, name, role, org_id, org_role, organizations, seen_lately, proved_by, standing, same_mailbox
         from find_session($1)`,
});

const touchSession = statement({
  name: 'touch_session',
  params: ['sessionId'],
  text: `update sessions set last_seen_at = now() where id = $1 and last_seen_at < now() - interval '1 minute'`,
});

const findToken = statement({
  name: 'find_api_token',
  params: ['hash'],
  row: z.object({
    id: z.uuid(),
    kind: z.custom<TokenKind>(),
    token_name: z.string(),
    scopes: z.custom<string[]>(),
    user_id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role: z.custom<Role>(),
    org_id: z.uuid(),
    org_role: z.custom<OrgRole>(),
    organizations: z.custom<Actor['organizations']>(),
    seen_lately: z.boolean(),
    ...proofColumns,
  }),
  text: `select id, kind, token_name, scopes, user_id, email, name, role, org_id, org_role, organizations, seen_lately,
                proved_by, standing, same_mailbox
         from find_api_token($1)`,
});

const touchToken = statement({
  name: 'touch_api_token',
  params: ['hash'],
  text: `select from touch_api_token($1)`,
});

/** The person or the API token behind an Authorization header, as the database knows them at this moment. Refuses with 401. */
export async function authenticate(
  { tokens, db }: Deps,
  authorization: string | undefined,
  asks: Asks,
): Promise<Actor> {
  const token = /^Bearer ([\w.-]{20,4096})$/i.exec(authorization ?? '')?.[1];
  if (!token) throw new Refused({ code: 'not_signed_in' });
  if (isApiToken(token)) {
    const holder = await findTokenActor(db, token, asks);
    if (!holder) throw new Refused({ code: 'token_ended' });
    return holder;
  }
  const sessionId = await tokens.sessionOf(token);
  const actor = sessionId && (await findActor(db, sessionId, asks));
  if (!actor) throw new Refused({ code: 'session_ended' });
  return actor;
}

/** The actor of a living session, or null. */
export async function findActor(
  db: Deps['db'],
  sessionId: string,
  asks: Asks = 'session',
): Promise<SessionActor | null> {
  const [row] = await db.query(findSession, { sessionId });
  if (!row) return null;
  // Nobody waits for this: when someone was last seen is worth no round trip, and no refusal.
  if (!row.seen_lately) void db.query(touchSession, { sessionId }).catch(() => undefined);
  const standing = accountStanding(row);
  return {
    userId: row.user_id,
    sessionId,
    token: null,
    email: row.email,
    name: row.name,
    role: row.role,
    orgId: row.org_id,
    orgRole: row.org_role,
    permissions: grantedPermissions(permissionsOf({ orgRole: row.org_role, globalRole: row.role }), standing),
    standing,
    organizations: row.organizations,
    asks,
  };
}

async function findTokenActor(db: Deps['db'], token: string, asks: Asks): Promise<TokenActor | null> {
  const hash = hashOfToken(token);
  const [row] = await db.query(findToken, { hash });
  if (!row) return null;
  if (!row.seen_lately) void db.query(touchToken, { hash }).catch(() => undefined);
  const { id, kind, scopes, org_role: orgRole, role } = row;
  const isPersonal = kind === 'personal';
  const standing = accountStanding(row);
  return {
    userId: row.user_id,
    sessionId: null,
    token: { id, kind, name: row.token_name },
    email: isPersonal ? row.email : '',
    name: isPersonal ? `${row.token_name} (token of ${row.name})` : `${row.token_name} (organization token)`,
    role,
    orgId: row.org_id,
    orgRole,
    permissions: grantedPermissions(permissionsOfToken({ kind, scopes, orgRole, globalRole: role }), standing),
    standing,
    organizations: row.organizations,
    asks,
  };
}

/** An account's standing in the organization that the row is of. */
export function accountStanding({ proved_by, standing, same_mailbox: sameMailbox }: ProofRow): AccountStanding {
  const proved = { alsoCountsAs: [], sameMailbox, hasSecondManager: false, secondManagerUntil: null, isManaged: false };
  if (standing === null) return { ...proved, provedBy: proved_by };
  if ('provedBy' in standing) return { ...proved, provedBy: standing.provedBy };
  const until = standing.secondManagerUntil;
  return { ...standing, provedBy: null, sameMailbox, secondManagerUntil: until === null ? null : Date.parse(until) };
}

/** What of these permissions an account has as it is proved now. */
export const grantedPermissions = (permissions: readonly Permission[], standing: AccountStanding): Permission[] => {
  const withheld = withheldPermissions(standing);
  return permissions.filter((permission) => !withheld.includes(permission));
};
