import { z } from 'zod';
import { statement } from '../../db/statement.ts';

export const insertUser = statement({
  name: 'insert_user',
  params: ['id', 'email', 'name', 'role', 'passwordHash', 'currentOrgId', 'provedBy'],
  text: `insert into users (id, email, name, role, password_hash, current_org_id, proved_by, proved_at)
         values ($1, $2, $3, $4, $5, $6, $7, case when $7::text is not null then now() end)`,
});

/** Proves an account for good; what proved it first stays, except that the identity provider says more than a mailbox. */
export const proveAccount = statement({
  name: 'prove_account',
  params: ['userId', 'provedBy'],
  text: `update users set proved_by = $2, proved_at = now() where id = $1 and (proved_by is null or $2 = 'provider')`,
});

/** The code that an account is mailed takes the place of the one before. */
export const saveAddressCode = statement({
  name: 'save_address_code',
  params: ['userId', 'id', 'codeHash'],
  text: `insert into address_codes (user_id, id, code_hash) values ($1, $2, $3)
         on conflict (user_id) do update
         set id = excluded.id, code_hash = excluded.code_hash, attempts = 0, expires_at = now() + interval '1 hour'`,
});

export const findAddressCode = statement({
  name: 'find_address_code',
  params: ['userId', 'id'],
  row: z.object({ email: z.string(), name: z.string() }),
  text: `select u.email, u.name from address_codes c join users u on u.id = c.user_id
         where c.user_id = $1 and c.id = $2 and c.expires_at > now()`,
});

/** Counts an attempt, and answers whether the code was the one; no row once it has expired or was tried ten times. */
export const tryAddressCode = statement({
  name: 'try_address_code',
  params: ['userId', 'codeHash'],
  row: z.object({ matches: z.boolean() }),
  text: `update address_codes set attempts = attempts + 1
         where user_id = $1 and expires_at > now() and attempts < 10 returning code_hash = $2 as matches`,
});

export const deleteAddressCode = statement({
  name: 'delete_address_code',
  params: ['userId'],
  text: `delete from address_codes where user_id = $1`,
});

export const insertOrganization = statement({
  name: 'insert_organization',
  params: ['id', 'name', 'type', 'slug', 'requiredApprovals', 'foundedBy'],
  text: `insert into organizations (id, name, type, slug, required_approvals, founded_by) values ($1, $2, $3, $4, $5, $6)`,
});

export const insertMembership = statement({
  name: 'insert_membership',
  params: ['orgId', 'userId', 'role'],
  text: `insert into memberships (org_id, user_id, role) values ($1, $2, $3)`,
});

export const insertSession = statement({
  name: 'insert_session',
  params: ['id', 'userId', 'lifetimeSeconds', 'device'],
  text: `insert into sessions (id, user_id, expires_at, device) values ($1, $2, now() + make_interval(secs => $3), $4)`,
});

/** One look-up by the index, found or not: what belongs to an account is read once its password was right. */
export const findLogin = statement({
  name: 'find_login',
  params: ['email'],
  row: z.object({ id: z.uuid(), email: z.string(), name: z.string(), password_hash: z.string() }),
  text: `select id, email, name, password_hash from users where email = $1`,
});

export const endSession = statement({
  name: 'end_session',
  params: ['id'],
  text: `update sessions set ended_at = now() where id = $1 and ended_at is null`,
});

export const setCurrentOrganization = statement({
  name: 'set_current_organization',
  params: ['userId', 'orgId'],
  text: `update users set current_org_id = $2 where id = $1`,
});

/** No row where the password has changed since it was read. Whoever changes it waits until this transaction has ended. */
export const holdPassword = statement({
  name: 'hold_password',
  params: ['userId', 'passwordHash'],
  row: z.object({ id: z.uuid() }),
  text: `select id from users where id = $1 and password_hash = $2 for share`,
});

/** Every change of a password takes this first, so that two never wait for each other in a circle. */
export const lockUser = statement({
  name: 'lock_user',
  params: ['userId'],
  row: z.object({ name: z.string(), email: z.string(), password_hash: z.string() }),
  text: `select name, email, password_hash from users where id = $1 for no key update`,
});

export const findPassword = statement({
  name: 'find_password',
  params: ['userId'],
  row: z.object({ password_hash: z.string() }),
  text: `select password_hash from users where id = $1`,
});

/** The organization that someone works in when they come: whose trail tells of it. */
export const findSelectedOrganization = statement({
  name: 'find_selected_organization',
  params: ['userId'],
  row: z.object({ org_id: z.uuid().nullable() }),
  text: `select selected_org($1) as org_id`,
});

export const setName = statement({
  name: 'set_name',
  params: ['userId', 'name'],
  text: `update users set name = $2 where id = $1`,
});

export const setPassword = statement({
  name: 'set_password',
  params: ['userId', 'passwordHash'],
  text: `update users set password_hash = $2 where id = $1`,
});

export const endOtherSessions = statement({
  name: 'end_other_sessions',
  params: ['userId', 'exceptId'],
  text: `update sessions set ended_at = now() where user_id = $1 and ended_at is null and id is distinct from $2`,
});

export const listSessions = statement({
  name: 'list_sessions',
  params: ['userId'],
  row: z.object({ id: z.uuid(), created_at: z.date(), last_seen_at: z.date(), device: z.string() }),
  text: `select id, created_at, last_seen_at, device from sessions
         where user_id = $1 and ended_at is null and expires_at > now()
         order by last_seen_at desc, id desc limit 200`,
});

export const endOwnSession = statement({
  name: 'end_own_session',
  params: ['id', 'userId'],
  row: z.object({ id: z.uuid() }),
  text: `update sessions set ended_at = now()
         where id = $1 and user_id = $2 and ended_at is null and expires_at > now() returning id`,
});

export const slugIsTaken = statement({
  name: 'slug_is_taken',
  params: ['slug'],
  row: z.object({ taken: z.boolean() }),
  text: `select slug_is_taken($1) as taken`,
});

/** A row where it was not there yet: a job that is done again finds what it made the first time. */
export const insertReset = statement({
  name: 'insert_password_reset',
  params: ['id', 'userId', 'tokenHash'],
  row: z.object({ id: z.uuid() }),
  text: `insert into password_resets (id, user_id, token_hash) values ($1, $2, $3) on conflict (id) do nothing returning id`,
});

export const findOpenReset = statement({
  name: 'find_open_password_reset',
  params: ['tokenHash'],
  row: z.object({ id: z.uuid(), user_id: z.uuid() }),
  text: `select id, user_id from password_resets where token_hash = $1 and user_id is not null and used_at is null and expires_at > now()`,
});

export const useReset = statement({
  name: 'use_password_reset',
  params: ['id'],
  row: z.object({ id: z.uuid() }),
  text: `update password_resets set used_at = now() where id = $1 and used_at is null and expires_at > now() returning id`,
});

/** All links that are still open: the password that they were asked for is no longer the one. */
export const closeResets = statement({
  name: 'close_password_resets',
  params: ['userId'],
  text: `update password_resets set used_at = now() where user_id = $1 and used_at is null`,
});

/** What nobody can use any more. Sessions stay a month, for whoever looks into what happened. */
export const sweepSessions = statement({
  name: 'sweep_sessions',
  params: [],
  text: `delete from sessions where expires_at < now() - interval '30 days'`,
});
export const sweepResets = statement({
  name: 'sweep_password_resets',
  params: [],
  text: `delete from password_resets where expires_at < now() - interval '1 day'`,
});
export const sweepRateLimits = statement({
  name: 'sweep_rate_limits',
  params: [],
  text: `delete from rate_limits where window_start < now() - interval '1 day'`,
});

export const sweepIdempotencyKeys = statement({
  name: 'sweep_idempotency_keys',
  params: [],
  text: `select from sweep_idempotency_keys()`,
});
export const sweepPersonKeys = statement({
  name: 'sweep_person_keys',
  params: [],
  text: `delete from person_keys where created_at < now() - interval '1 day'`,
});
