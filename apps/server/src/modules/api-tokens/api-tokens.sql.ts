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

/** One's own, newest first; no more than one may have. */
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

/** How many there are that were not revoked, of the person or, where that is null, of the organization's own. */
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

/** A row where it was there; with a person only if it is a personal one of theirs. */
export const revokeToken = statement({
  name: 'revoke_api_token',
  params: ['orgId', 'id', 'userId'],
  row: z.object({ kind: z.custom<TokenKind>(), name: z.string(), ownerId: z.uuid() }),
  text: `update api_tokens set revoked_at = now()
         where org_id = $1 and id = $2 and revoked_at is null and ($3::uuid is null or (user_id = $3 and kind = 'personal'))
         returning kind, name, user_id as "ownerId"`,
});

/** Whoever ends the session meanwhile waits for this transaction; no row where it has ended. */
export const holdSession = statement({
  name: 'hold_session',
  params: ['sessionId'],
  row: z.object({ id: z.uuid() }),
  text: `select id from sessions where id = $1 and ended_at is null for share`,
});

/** By the clock, not the transaction's begin: what was made until now has ended. */
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

/** The membership, held until the transaction ends: who makes a token meanwhile is waited for. */
export const holdMembership = statement({
  name: 'hold_membership_of_tokens',
  params: ['orgId', 'userId'],
  row: z.object({ user_id: z.uuid() }),
  text: `select user_id from memberships where org_id = $1 and user_id = $2 for update`,
});

/** Those of the person, and, unless `personalOnly`, those of the organization's own that they made. */
export const revokeTokensOfMember = statement({
  name: 'revoke_tokens_of_member',
  params: ['orgId', 'userId', 'personalOnly'],
  row: z.object({ id: z.uuid(), kind: z.custom<TokenKind>(), name: z.string(), ownerId: z.uuid() }),
  text: `update api_tokens set revoked_at = now()
         where org_id = $1 and user_id = $2 and (kind = 'personal' or not $3::boolean) and revoked_at is null
         returning id, kind, name, user_id as "ownerId"`,
});

/** Makes someone else answer for the organization's own tokens that a member made. */
export const takeOverTokens = statement({
  name: 'take_over_tokens',
  params: ['orgId', 'userId', 'newOwnerId'],
  row: z.object({ id: z.uuid(), kind: z.custom<TokenKind>(), name: z.string() }),
  text: `update api_tokens set user_id = $3
         where org_id = $1 and user_id = $2 and kind = 'organization' and revoked_at is null
         returning id, kind, name`,
});

export const revokeEndedTokens = statement({
  name: 'revoke_ended_tokens',
  params: ['orgId', 'userId'],
  row: z.object({ id: z.uuid(), kind: z.custom<TokenKind>(), name: z.string(), ownerId: z.uuid() }),
  text: `update api_tokens t set revoked_at = now() from users u
         where t.org_id = $1 and t.user_id = $2 and t.kind = 'personal' and t.revoked_at is null
           and u.id = t.user_id and t.created_at <= u.tokens_ended_at
         returning t.id, t.kind, t.name, t.user_id as "ownerId"`,
});
