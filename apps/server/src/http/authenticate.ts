import {
  type AccountStanding,
  type GroupMembership,
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
import {
  type Actor,
  type Asks,
  countsForInviters,
  type OrgActor,
  type OwnOrganization,
  type SessionActor,
  type TokenActor,
} from '../kernel/actor.ts';
import type { Deps } from '../kernel/deps.ts';
import { hashOfToken } from '../kernel/derive.ts';
import { Refused } from '../kernel/refused.ts';

/** The database columns about the proof of an account. `standing` is set only if the account itself isn't proved. */
const proofColumns = {
  proved_by: z.custom<Proof | null>(),
  standing: z.custom<
    | ((
        | { provedBy: Proof }
        | {
            alsoCountsAs: string[];
            sureInviters: string[];
            hasSecondManager: boolean;
            secondManagerUntil: string | null;
            isManaged: boolean;
          }
      ) & { vouchedBy: string[]; onlyVouchers: string[]; isStrict: boolean })
    | null
  >(),
  same_mailbox: z.custom<string[]>(),
  role_by_own_hand: z.boolean(),
  role_given: z.custom<AccountStanding['roleGiven']>(),
  former_emails: z.custom<string[]>(),
};

/** An SQL expression for the earlier addresses of the account with this id. */
const formerEmailsOf = (id: string): string =>
  `array(select f.email from former_addresses f where f.user_id = ${id}) as former_emails`;
type ProofRow = z.output<z.ZodObject<typeof proofColumns>>;

/** The columns of a member with their account, selected from `memberships m`, `users u` and `organizations o`. */
export const memberColumns = `
  u.id, u.email, u.name, u.role, m.role as org_role, o.name as org_name, o.type as org_type, u.proved_by,
  case when u.proved_by is null then account_standing(m.org_id, u.id) end as standing,
  array(select s.id from users s where mailbox_of(s.email) = mailbox_of(u.email) and s.id <> u.id) as same_mailbox,
  took_role_by_own_hand(m.org_id, u.id) as role_by_own_hand, role_given(m.org_id, u.id) as role_given, groups_of(m.org_id, u.id) as groups,
  ${formerEmailsOf('u.id')}`;
export const memberRow = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  role: z.custom<Role>(),
  org_role: z.custom<OrgRole>(),
  org_name: z.string(),
  org_type: z.enum(['individual', 'team']),
  groups: z.custom<GroupMembership[]>(),
  ...proofColumns,
});

/** Returns a member as an actor who can work on runs without a session in the browser. */
export function memberActor(
  row: z.output<typeof memberRow>,
  { orgId, sessionId }: { orgId: string; sessionId: string },
): SessionActor & OrgActor {
  const { id: userId, email, former_emails: formerEmails, name, role, org_role: orgRole, groups } = row;
  const standing = accountStanding(row);
  return {
    userId,
    email,
    formerEmails,
    name,
    role,
    orgId,
    orgRole,
    permissions: grantedPermissions(permissionsOf({ orgRole, globalRole: role }), standing),
    standing,
    groups,
    organization: { id: orgId, name: row.org_name, type: row.org_type, slug: null, role: orgRole },
    asks: 'step.act_assigned',
    sessionId,
    token: null,
  };
}

const findSessions = statement({
  name: 'find_sessions',
  params: ['keys'],
  row: z.object({
    key: z.uuid(),
    user_id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role: z.custom<Role>(),
    org_id: z.uuid().nullable(),
    org_role: z.custom<OrgRole>().nullable(),
    org_name: z.string().nullable(),
    org_type: z.custom<OwnOrganization['type']>().nullable(),
    org_slug: z.string().nullable(),
    seen_lately: z.boolean(),
    groups: z.custom<GroupMembership[]>(),
    ...proofColumns,
  }),
  text: `select key, user_id, email, name, role, org_id, org_role, org_name, org_type, org_slug, seen_lately, proved_by, standing,
                same_mailbox, role_by_own_hand, role_given(org_id, user_id) as role_given, groups_of(org_id, user_id) as groups,
                ${formerEmailsOf('s.user_id')}
         from find_sessions($1) s`,
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
    organizations: z.custom<[OwnOrganization]>(),
    seen_lately: z.boolean(),
    groups: z.custom<GroupMembership[]>(),
    ...proofColumns,
    held_before: z.custom<string[]>(),
    mailboxes_before: z.custom<string[]>(),
  }),
  text: `select id, kind, token_name, scopes, user_id, email, name, role, org_id, org_role, organizations, seen_lately,
                proved_by, standing, same_mailbox, held_before,
                array(select s.id from users h join users s on mailbox_of(s.email) = mailbox_of(h.email)
                      where h.id = any(held_before)) as mailboxes_before,
                took_role_by_own_hand(org_id, user_id) as role_by_own_hand, role_given(org_id, user_id) as role_given,
                groups_of(org_id, user_id) as groups, ${formerEmailsOf('t.user_id')}
         from find_api_token($1) t`,
});

const touchToken = statement({
  name: 'touch_api_token',
  params: ['hash'],
  text: `select from touch_api_token($1)`,
});

/** Finds the person or API token that an Authorization header belongs to. Refuses with 401 if there is none. */
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

/**
 * Finds the actor of a valid session. Null if the session isn't valid. Sessions of requests that arrive together are
 * read together.
 */
export async function findActor(
  db: Deps['db'],
  sessionId: string,
  asks: Asks = 'session',
): Promise<SessionActor | null> {
  const row = await db.lookUp(findSessions, sessionId);
  if (!row) return null;
  // The update of the last-seen time isn't awaited, because it must not slow down a request or make it fail.
  if (!row.seen_lately) void db.query(touchSession, { sessionId }).catch(() => undefined);
  const standing = accountStanding(row);
  return {
    userId: row.user_id,
    sessionId,
    token: null,
    email: row.email,
    formerEmails: row.former_emails,
    name: row.name,
    role: row.role,
    orgId: row.org_id,
    orgRole: row.org_role,
    permissions: grantedPermissions(permissionsOf({ orgRole: row.org_role, globalRole: row.role }), standing),
    standing,
    groups: row.groups,
    organization: organizationIn(row),
    asks,
  };
}

type SelectedRow = {
  org_id: string | null;
  org_role: OrgRole | null;
  org_name: string | null;
  org_type: OwnOrganization['type'] | null;
  org_slug: string | null;
};

function organizationIn({ org_id: id, org_role: role, org_name: name, org_type: type, org_slug: slug }: SelectedRow) {
  return id === null || role === null || name === null || type === null ? null : { id, name, type, slug, role };
}

async function findTokenActor(db: Deps['db'], token: string, asks: Asks): Promise<TokenActor | null> {
  const hash = hashOfToken(token);
  const [row] = await db.query(findToken, { hash });
  if (!row) return null;
  if (!row.seen_lately) void db.query(touchToken, { hash }).catch(() => undefined);
  const { id, kind, scopes, org_role: orgRole, role } = row;
  const isPersonal = kind === 'personal';
  const account = accountStanding(row);
  // Previous owners of the token may still have its secret, so its actions also count as theirs.
  const standing = {
    ...account,
    alsoCountsAs: [...account.alsoCountsAs, ...row.held_before],
    sureInviters: [...account.sureInviters, ...row.mailboxes_before],
    sameMailbox: [...account.sameMailbox, ...row.mailboxes_before],
  };
  return {
    userId: row.user_id,
    sessionId: null,
    token: { id, kind, name: row.token_name, createdBy: row.held_before[0] ?? row.user_id },
    email: isPersonal ? row.email : '',
    formerEmails: isPersonal ? row.former_emails : [],
    name: isPersonal ? `${row.token_name} (token of ${row.name})` : `${row.token_name} (organization token)`,
    role,
    orgId: row.org_id,
    orgRole,
    permissions: grantedPermissions(permissionsOfToken({ kind, scopes, orgRole, globalRole: role }), standing),
    standing,
    groups: isPersonal ? row.groups : [],
    organization: row.organizations[0],
    asks,
  };
}

/** Determines how well an account is proved in the organization of this row. */
function accountStanding(row: ProofRow): AccountStanding {
  const { proved_by: provedBy, standing, same_mailbox: sameMailbox, role_by_own_hand: roleByOwnHand } = row;
  const { role_given: roleGiven } = row;
  const proved = {
    vouchedBy: [],
    onlyVouchers: [],
    alsoCountsAs: [],
    sureInviters: [],
    sameMailbox,
    hasSecondManager: false,
    secondManagerUntil: null,
    isManaged: false,
    isStrict: false,
    roleByOwnHand,
    roleGiven,
  };
  if (standing === null) return { provedBy, ...proved };
  if ('provedBy' in standing) return { ...proved, ...standing };
  const until = standing.secondManagerUntil;
  const secondManagerUntil = until === null ? null : Date.parse(until);
  const sureInviters = countsForInviters(standing) ? standing.sureInviters : [];
  return { ...standing, sureInviters, provedBy: null, sameMailbox, roleByOwnHand, roleGiven, secondManagerUntil };
}

/** Returns only those permissions that an account with this proof has. */
const grantedPermissions = (permissions: readonly Permission[], standing: AccountStanding): Permission[] => {
  const withheld = withheldPermissions(standing);
  return permissions.filter((permission) => !withheld.includes(permission));
};
