import { z } from 'zod';
import type { OwnOrganization } from '../../kernel/actor.ts';
import { statement } from '../../db/statement.ts';

export const insertUser = statement({
  name: 'insert_user',
  params: ['id', 'email', 'name', 'role', 'passwordHash', 'currentOrgId', 'provedBy'],
  text: `insert into users (id, email, name, role, password_hash, current_org_id, proved_by, proved_at)
         values ($1, $2, $3, $4, $5, $6, $7, case when $7::text is not null then now() end)`,
});

/** The organizations of a person that haven't ended, in the order in which the person joined them. */
export const findOrganizationsOf = statement({
  name: 'find_organizations_of',
  params: ['userId'],
  row: z.object({
    id: z.uuid(),
    name: z.string(),
    type: z.custom<OwnOrganization['type']>(),
    slug: z.string().nullable(),
    role: z.custom<OwnOrganization['role']>(),
    ends_at: z.date().nullable(),
  }),
  text: `select id, name, type, slug, role, ends_at from organizations_of($1)`,
});

/**
 * Marks an account as proved permanently. Replaces an earlier proof only if the new one comes from an identity
 * provider.
 */
export const proveAccount = statement({
  name: 'prove_account',
  params: ['userId', 'provedBy'],
  text: `update users set proved_by = $2, proved_at = now() where id = $1 and (proved_by is null or $2 = 'provider')`,
});

/** Stores the hash of a new code. The previous code becomes invalid. */
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

/**
 * Counts an attempt and returns whether the code was right. Returns no row if there is no code, it has expired, or it
 * was tried ten times.
 */
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

/**
 * Takes one index lookup, whether or not the account exists, so that its duration doesn't reveal whether it does. The
 * account's other data is read after the password has been verified.
 */
export const findLogin = statement({
  name: 'find_login',
  params: ['email'],
  row: z.object({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    password_hash: z.string(),
    /** True if the account may use its password although the installation requires the identity provider. */
    may_use_password: z.boolean(),
    is_disabled: z.boolean(),
  }),
  text: `select id, email, name, password_hash, coalesce(password_allowed_until > now(), false) as may_use_password,
                disabled_at is not null as is_disabled
         from users where email = $1`,
});

/**
 * The administrator's setting for who can sign up (null if the environment's applies), and whether the installation has
 * accounts.
 */
export const findSignUpSetting = statement({
  name: 'find_sign_up_setting',
  params: [],
  row: z.object({
    has_accounts: z.boolean(),
    sign_up: z.string().nullable(),
    changed_at: z.date().nullable(),
    changed_by: z.string().nullable(),
  }),
  text: `select exists (select from users) as has_accounts, s.sign_up, s.changed_at, s.changed_by
         from (values (true)) one (is_only) left join installation_settings s using (is_only)`,
});

/** Taken only if sign-up is closed: lets one sign-up at a time check whether it creates the first account. */
export const lockFirstAccount = statement({
  name: 'lock_first_account',
  params: [],
  row: z.object({ locked: z.string() }),
  text: `select pg_advisory_xact_lock(hashtextextended('first account', 0))::text as locked`,
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

/**
 * Returns no row if the password has changed since it was read. A concurrent password change waits until this
 * transaction ends.
 */
export const lockPassword = statement({
  name: 'lock_password',
  params: ['userId', 'passwordHash'],
  row: z.object({ id: z.uuid() }),
  text: `select id from users where id = $1 and password_hash = $2 for share`,
});

/** Every password change takes this lock before it writes to the account, so that two changes don't deadlock. */
export const lockUser = statement({
  name: 'lock_user',
  params: ['userId'],
  row: z.object({ name: z.string(), email: z.string(), password_hash: z.string() }),
  text: `select name, email, password_hash from users where id = $1 for no key update`,
});

/** The person's password hash, and the largest minimum length that their organizations require. */
export const findPassword = statement({
  name: 'find_password',
  params: ['userId'],
  row: z.object({ password_hash: z.string(), minimum: z.number() }),
  text: `select password_hash, password_minimum(id, null) as minimum from users where id = $1`,
});

/** True if the address has a pending invitation in any organization. */
export const isInvited = statement({
  name: 'is_invited',
  params: ['email'],
  row: z.object({ is_invited: z.boolean() }),
  text: `select is_invited($1)`,
});

/**
 * The organization that is selected after signing in, null if the person has none that hasn't ended. Sign-ins and
 * password resets are recorded in its trail.
 */
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

/** Returns no row if an earlier attempt of the same job has already inserted the reset. */
export const insertReset = statement({
  name: 'insert_password_reset',
  params: ['id', 'userId', 'tokenHash', 'newEmail'],
  row: z.object({ id: z.uuid() }),
  text: `insert into password_resets (id, user_id, token_hash, new_email) values ($1, $2, $3, $4) on conflict (id) do nothing returning id`,
});

export const findOpenReset = statement({
  name: 'find_open_password_reset',
  params: ['tokenHash'],
  row: z.object({ id: z.uuid(), user_id: z.uuid(), minimum: z.number(), new_email: z.string().nullable() }),
  text: `select id, user_id, new_email, password_minimum(user_id, null) as minimum from password_resets where token_hash = $1 and user_id is not null and used_at is null and expires_at > now()`,
});

export const useReset = statement({
  name: 'use_password_reset',
  params: ['id'],
  row: z.object({ id: z.uuid() }),
  text: `update password_resets set used_at = now() where id = $1 and used_at is null and expires_at > now() returning id`,
});

/** Invalidates all open links, because the password was changed or the account was disabled. */
export const closeResets = statement({
  name: 'close_password_resets',
  params: ['userId'],
  text: `update password_resets set used_at = now() where user_id = $1 and used_at is null`,
});

/** Counts a failed sign-in once for each organization of the account. Counts nothing for an unknown account. */
export const countFailedSignIn = statement({
  name: 'count_failed_sign_in',
  params: ['userId'],
  text: `select from count_failed_sign_in($1)`,
});

export const listOrganizationsWithFailedSignIns = statement({
  name: 'list_organizations_with_failed_sign_ins',
  params: [],
  row: z.object({ org_id: z.uuid() }),
  text: `select org_id from orgs_with_failed_sign_ins() as org_id`,
});

/** Deletes the counts of past hours and returns them. */
export const takeFailedSignIns = statement({
  name: 'take_failed_sign_ins',
  params: ['orgId'],
  row: z.object({ user_id: z.uuid(), hour: z.date(), count: z.number() }),
  text: `delete from failed_sign_ins where org_id = $1 and hour < date_trunc('hour', now()) returning user_id, hour, count`,
});

/**
 * Makes transactions that create or change accounts wait until this one ends, so that what it found out about addresses
 * stays true. Must be taken before any other lock.
 */
export const lockAddresses = statement({
  name: 'lock_addresses',
  params: [],
  row: z.object({ locked: z.boolean() }),
  text: `select lock_addresses() as locked`,
});

/**
 * Finds the reason why an account can't change its address to this one. Null if there is none. `account`: another
 * account has the new mailbox. `former`: another account had it earlier. `invited`: the new address has a pending
 * invitation. `shared`: another account has the mailbox of the old address, so the two count as one person.
 * `invited_before`: the old address has a pending invitation.
 */
export const findAddressProblem = statement({
  name: 'find_address_problem',
  params: ['userId', 'email'],
  row: z.object({ problem: z.enum(['account', 'former', 'invited', 'shared', 'invited_before']).nullable() }),
  text: `select case
           when exists (select from users u where mailbox_of(u.email) = mailbox_of($2) and u.id <> $1) then 'account'
           when exists (select from former_addresses f where mailbox_of(f.email) = mailbox_of($2) and f.user_id <> $1) then 'former'
           when is_invited($2) then 'invited'
           when exists (select from users u join users own on own.id = $1 and mailbox_of(u.email) = mailbox_of(own.email) where u.id <> $1)
             then 'shared'
           when exists (select from users own where own.id = $1 and is_invited(own.email)) then 'invited_before'
         end as problem`,
});

/** Stores the current address as a former one, which still identifies the account. */
export const insertFormerAddress = statement({
  name: 'insert_former_address',
  params: ['userId'],
  text: `insert into former_addresses (email, user_id) select email, id from users where id = $1`,
});

export const setEmail = statement({
  name: 'set_email',
  params: ['userId', 'email'],
  text: `update users set email = $2, proved_by = 'mailbox', proved_at = now() where id = $1`,
});

/** Disconnects the identities that were connected under the current address. */
export const disconnectIdentities = statement({
  name: 'disconnect_identities',
  params: ['userId'],
  row: z.object({ issuer: z.string() }),
  text: `delete from identities i using users u where u.id = $1 and i.user_id = u.id and i.email = u.email returning i.issuer`,
});

/** Used if the person gets this address back, because it isn't a former address any more. */
export const deleteFormerAddress = statement({
  name: 'delete_former_address',
  params: ['userId', 'email'],
  text: `delete from former_addresses where user_id = $1 and email = $2`,
});
