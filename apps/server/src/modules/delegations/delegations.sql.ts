import type { DelegationKind } from '@stet/domain/access';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import { memberColumns, memberRow } from '../../http/authenticate.ts';
import type { PersonRow } from '../workflows/index.ts';

const delegationRow = z.object({
  id: z.uuid(),
  delegator: z.custom<PersonRow>(),
  delegate: z.custom<PersonRow>(),
  starts_at: z.date(),
  ends_at: z.date(),
  kinds: z.custom<DelegationKind[]>(),
  workflow_keys: z.custom<string[]>().nullable(),
  reason: z.string(),
  is_active: z.boolean(),
});
export type DelegationRow = z.output<typeof delegationRow>;

const personJson = (user: string): string =>
  `json_build_object('id', ${user}.id, 'name', ${user}.name, 'email', ${user}.email)`;
const open = `
  select d.id, ${personJson('f')} as delegator, ${personJson('t')} as delegate, d.starts_at, d.ends_at, d.kinds, d.workflow_keys,
         d.reason, d.starts_at <= clock_timestamp() as is_active
  from delegations d join users f on f.id = d.from_user_id join users t on t.id = d.to_user_id
  where d.org_id = $1 and d.ended_at is null and d.ends_at > clock_timestamp()`;

/** The delegations from and to a person that haven't ended, including planned ones. */
export const listDelegationsOf = statement({
  name: 'list_delegations_of_member',
  params: ['orgId', 'userId', 'limit'],
  row: delegationRow,
  text: `${open} and (d.from_user_id = $2 or d.to_user_id = $2) order by d.starts_at, d.id limit $3`,
});

/** Locks a person's delegation that hasn't ended. Waits for transactions that use it. */
export const lockOwnDelegation = statement({
  name: 'lock_own_delegation',
  params: ['orgId', 'id', 'userId'],
  row: delegationRow,
  text: `${open} and d.id = $2 and d.from_user_id = $3 for no key update of d`,
});

/** Waits for removals of members that are in progress, and prevents others until the transaction ends. */
export const lockMembers = statement({
  name: 'lock_members_for_delegation',
  params: ['orgId'],
  row: z.object({ id: z.uuid() }),
  text: `select id from organizations where id = $1 for share`,
});

/**
 * Locks a person as a delegator, so that two new delegations of the same person wait for each other. Also locks the
 * account, so that it can't be disabled before the transaction ends. Returns no row if it is disabled or the person isn't
 * a member.
 */
export const lockDelegator = statement({
  name: 'lock_delegator',
  params: ['orgId', 'userId'],
  row: z.object({ user_id: z.uuid() }),
  text: `select m.user_id from memberships m join users u on u.id = m.user_id
         where m.org_id = $1 and m.user_id = $2 and u.disabled_at is null for no key update of m for share of u`,
});

export const findDelegate = statement({
  name: 'find_delegate',
  params: ['orgId', 'userId'],
  row: z.object({ id: z.uuid(), name: z.string(), email: z.string(), is_disabled: z.boolean() }),
  text: `select u.id, u.name, u.email, u.disabled_at is not null as is_disabled
         from memberships m join users u on u.id = m.user_id
         where m.org_id = $1 and m.user_id = $2`,
});

/**
 * The positions (from 1) of keys that no workflow has, or only a deleted one, and the database's time in epoch
 * milliseconds.
 */
export const findUnknownKeys = statement({
  name: 'find_unknown_workflow_keys',
  params: ['orgId', 'keys'],
  row: z.object({ now: z.number(), unknown: z.custom<number[]>() }),
  text: `select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now,
                array(select asked.nth::int from unnest($2::text[]) with ordinality asked (key, nth)
                      where not exists (select from workflows w where w.org_id = $1 and w.key = asked.key and w.deleted_at is null)
                      order by asked.nth) as unknown`,
});

export const insertDelegation = statement({
  name: 'insert_delegation',
  params: ['orgId', 'id', 'fromUserId', 'toUserId', 'startsAt', 'endsAt', 'kinds', 'workflowKeys', 'reason'],
  text: `insert into delegations (org_id, id, from_user_id, to_user_id, starts_at, ends_at, kinds, workflow_keys, reason)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
});

export const endDelegation = statement({
  name: 'end_delegation',
  params: ['orgId', 'id', 'at'],
  text: `update delegations set ended_at = $3 where org_id = $1 and id = $2`,
});

const activeDelegationRow = memberRow.extend({
  nth: z.number(),
  delegation_id: z.uuid(),
  starts_at: z.date(),
  ends_at: z.date(),
  kinds: z.custom<DelegationKind[]>(),
  workflow_keys: z.custom<string[]>().nullable(),
});
export type ActiveDelegationRow = z.output<typeof activeDelegationRow>;

/** The active delegations to a person from accounts that aren't disabled, with the delegators as they are now. */
export const listActiveDelegations = statement({
  name: 'list_active_delegations',
  params: ['orgId', 'userId'],
  each: ['userId'],
  row: activeDelegationRow,
  text: `select asked.nth, d.id as delegation_id, d.starts_at, d.ends_at, d.kinds, d.workflow_keys, ${memberColumns}
         from unnest($2::uuid[]) with ordinality asked (id, nth)
         join delegations d on d.org_id = $1 and d.to_user_id = asked.id and d.ended_at is null
                               and d.starts_at <= clock_timestamp() and d.ends_at > clock_timestamp()
         join memberships m on m.org_id = $1 and m.user_id = d.from_user_id
         join users u on u.id = m.user_id and u.disabled_at is null
         join organizations o on o.id = $1
         order by d.starts_at, d.id`,
});

/**
 * Lists the active delegations of reviews of a workflow in the organization, from every member whose account isn't
 * disabled.
 */
export const listReviewDelegates = statement({
  name: 'list_review_delegates',
  params: ['orgId', 'workflowKey'],
  row: z.object({ delegator_id: z.uuid(), delegator_name: z.string(), delegate_id: z.uuid() }),
  text: `select d.from_user_id as delegator_id, f.name as delegator_name, d.to_user_id as delegate_id
         from delegations d join users f on f.id = d.from_user_id and f.disabled_at is null
         where d.org_id = $1 and d.ended_at is null and d.starts_at <= clock_timestamp() and d.ends_at > clock_timestamp()
           and 'reviews' = any (d.kinds) and (d.workflow_keys is null or $2 = any (d.workflow_keys))
         order by d.starts_at, d.id`,
});

/**
 * Fails the transaction unless the delegation is active, the delegator still has the role, and both accounts are
 * enabled. Locks the delegation, so that nobody can end it before the commit. Its time can still run out, so
 * `recheckDelegation` is sent at the end of the transaction.
 */
export const lockDelegation = statement({
  name: 'lock_delegation',
  params: ['orgId', 'id', 'delegatorId', 'role'],
  row: z.object({ is_active: z.boolean() }),
  text: `select lock_delegation($1, $2, $3, $4) as is_active`,
});

/**
 * Checks again what `lockDelegation` checked. Must be sent last: the delegation is already locked, but its time may
 * have run out while the transaction waited for other locks.
 */
export const recheckDelegation = statement({
  name: 'recheck_delegation',
  params: ['orgId', 'id', 'delegatorId', 'role'],
  row: z.object({ is_active: z.boolean() }),
  text: `select lock_delegation($1, $2, $3, $4) as is_active`,
});
