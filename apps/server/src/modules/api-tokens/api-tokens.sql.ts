import type { TokenKind, TokenRole } from '@stet/domain/access';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';

const tokenRow = z.object({
  id: z.uuid(),
  kind: z.custom<TokenKind>(),
  name: z.string(),
  scopes: z.custom<string[]>(),
  role: z.custom<TokenRole>().nullable(),
  owner: z.custom<{ id: string; name: string; email: string }>(),
  ending: z.string(),
  created_at: z.date(),
  expires_at: z.date().nullable(),
  last_used_at: z.date().nullable(),
});
export type TokenRow = z.output<typeof tokenRow>;

const columns = `t.id, t.kind, t.name, t.scopes, t.role,
  (select json_build_object('id', u.id, 'name', u.name, 'email', u.email) from users u where u.id = t.user_id) as owner,
  t.ending, t.created_at, t.expires_at, t.last_used_at`;

/** The person's personal tokens in the organization that aren't revoked, newest first. */
export const listTokensOfPerson = statement({
  name: 'list_tokens_of_person',
  params: ['orgId', 'userId', 'limit'],
  row: tokenRow,
  text: `select ${columns} from api_tokens t
         where t.org_id = $1 and t.user_id = $2 and t.kind = 'personal' and t.revoked_at is null
         order by t.created_at desc, t.id desc limit $3`,
});

export const listTokensOfOrganization = statement({
  name: 'list_tokens_of_organization',
  params: ['orgId', 'limit'],
  row: tokenRow,
  text: `select ${columns} from api_tokens t where t.org_id = $1 and t.revoked_at is null
         order by t.created_at desc, t.id desc limit $2`,
});

/**
 * Counts the tokens that aren't revoked: the personal ones of a person or, if `userId` is null, the organization's own.
 * Also returns the current time.
 */
export const countTokens = statement({
  name: 'count_api_tokens',
  params: ['orgId', 'userId'],
  row: z.object({ count: z.number(), now: z.date() }),
  text: `select count(*)::int as count, now() as now from api_tokens t
         where t.org_id = $1 and t.revoked_at is null
           and case when $2::uuid is null then t.kind = 'organization' else t.kind = 'personal' and t.user_id = $2 end`,
});

export const insertToken = statement({
  name: 'insert_api_token',
  params: ['orgId', 'id', 'kind', 'userId', 'name', 'role', 'scopes', 'hash', 'ending', 'createdAt', 'expiresAt'],
  text: `insert into api_tokens (org_id, id, kind, user_id, name, role, scopes, hash, ending, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
});

/** Returns a row if a token was revoked. If `userId` is given, it must be a personal token of that person. */
export const revokeToken = statement({
  name: 'revoke_api_token',
  params: ['orgId', 'id', 'userId'],
  row: z.object({ kind: z.custom<TokenKind>(), name: z.string(), ownerId: z.uuid() }),
  text: `update api_tokens set revoked_at = now()
         where org_id = $1 and id = $2 and revoked_at is null and ($3::uuid is null or (user_id = $3 and kind = 'personal'))
         returning kind, name, user_id as "ownerId"`,
});

/** Makes a concurrent sign-out wait for this transaction. Returns no row if the session has ended. */
export const lockSession = statement({
  name: 'lock_session',
  params: ['sessionId'],
  row: z.object({ id: z.uuid() }),
  text: `select id from sessions where id = $1 and ended_at is null for share`,
});

/** Uses the current time and not the start of the transaction, so that every token created until now ends. */
export const endPersonalTokensNow = statement({
  name: 'end_personal_tokens',
  params: ['userId', 'because'],
  text: `with ended as (update users set tokens_ended_at = clock_timestamp() where id = $1)
         insert into outbox (task, payload)
         select 'revoke_personal_tokens', jsonb_build_object('orgId', org_id, 'userId', $1::uuid, 'because', $2::text)
         from orgs_of_personal_tokens($1) org_id`,
});

export const findPerson = statement({
  name: 'find_person_of_tokens',
  params: ['userId'],
  row: z.object({ id: z.uuid(), name: z.string(), email: z.string() }),
  text: `select id, name, email from users where id = $1`,
});

/** Locks the membership until the transaction ends. Waits for a concurrent creation of a token. */
export const lockMembership = statement({
  name: 'lock_membership_of_tokens',
  params: ['orgId', 'userId'],
  row: z.object({ user_id: z.uuid() }),
  text: `select user_id from memberships where org_id = $1 and user_id = $2 for update`,
});

/** Revokes a person's personal tokens in the organization, and its own tokens that the person is responsible for. */
export const revokeTokensOfMember = statement({
  name: 'revoke_tokens_of_member',
  params: ['orgId', 'userId'],
  row: z.object({ id: z.uuid(), kind: z.custom<TokenKind>(), name: z.string(), ownerId: z.uuid() }),
  text: `update api_tokens set revoked_at = now()
         where org_id = $1 and user_id = $2 and revoked_at is null
         returning id, kind, name, user_id as "ownerId"`,
});

/** Makes a new owner responsible for the organization's own tokens of a proved member (decision 0148). */
export const takeOverTokens = statement({
  name: 'take_over_tokens',
  params: ['orgId', 'userId', 'newOwnerId'],
  row: z.object({ id: z.uuid(), kind: z.custom<TokenKind>(), name: z.string() }),
  text: `update api_tokens set user_id = $3, held_before = held_before || user_id
         where org_id = $1 and user_id = $2 and kind = 'organization' and revoked_at is null
           and member_proof($1, $2) is not null
         returning id, kind, name`,
});

export const revokeEndedTokens = statement({
  name: 'revoke_ended_tokens',
  params: ['orgId', 'userId'],
  row: z.object({ id: z.uuid(), kind: z.custom<TokenKind>(), name: z.string(), ownerId: z.uuid() }),
  text: `update api_tokens t set revoked_at = now() from users u
         where t.org_id = $1 and t.user_id = $2 and t.kind = 'personal' and t.revoked_at is null
           and u.id = t.user_id and t.created_at <= u.tokens_ended_at and not has_ended($1)
         returning t.id, t.kind, t.name, t.user_id as "ownerId"`,
});

export const listOrganizationsWithEndlessTokens = statement({
  name: 'list_organizations_with_endless_tokens',
  params: [],
  row: z.object({ org_id: z.uuid() }),
  text: `select org_id from orgs_with_endless_tokens() as org_id`,
});

/**
 * Returns the personal tokens without an expiry date whose owners haven't been reminded for 30 days, and records the
 * reminder.
 */
export const markEndlessTokens = statement({
  name: 'mark_endless_tokens',
  params: ['orgId'],
  row: z.object({ id: z.uuid() }),
  text: `update api_tokens set reminded_at = now()
         where org_id = $1 and kind = 'personal' and expires_at is null and revoked_at is null
           and coalesce(reminded_at, '-infinity') < now() - interval '30 days'
         returning id`,
});
