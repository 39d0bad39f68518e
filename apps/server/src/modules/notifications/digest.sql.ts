import type { WorkCalendar } from '@stet/domain/sla';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import type { NotificationKind } from './wording.ts';

export const listOrganizationsWithDigestItems = statement({
  name: 'list_organizations_with_held_news',
  params: [],
  row: z.object({ org_id: z.uuid() }),
  text: `select org_id from organizations_with_held_news() as org_id`,
});

/** The current time, and the working hours, which include the organization's time zone. */
export const findDigestClock = statement({
  name: 'find_digest_clock',
  params: ['orgId'],
  row: z.object({ now: z.date(), working_hours: z.custom<Pick<WorkCalendar, 'timeZone'> | null>() }),
  text: `select clock_timestamp() as now, working_hours from organizations where id = $1`,
});

/**
 * Creates at most 500 digests of a day, one per person, with the items collected before the time `before`. If two nodes
 * do this concurrently, the second one waits and then finds that the digests exist. Later items are included in the
 * next day's digest.
 */
export const makeDigests = statement({
  name: 'make_digests',
  params: ['orgId', 'day', 'before'],
  row: z.object({ id: z.uuid() }),
  text: `with due as (
           select distinct n.user_id from notifications n
           join memberships m on m.org_id = n.org_id and m.user_id = n.user_id
           join users u on u.id = n.user_id and u.disabled_at is null
           where n.org_id = $1 and n.digest_id is null and (n.email = 'daily' or n.slack = 'daily') and n.created_at < $3
             and not exists (select from digests d where d.org_id = $1 and d.user_id = n.user_id and d.day = $2::date)
           order by n.user_id limit 500
         ), made as (
           insert into digests (org_id, id, user_id, day)
           select $1, gen_random_uuid(), user_id, $2::date from due order by user_id
           on conflict (org_id, user_id, day) do nothing
           returning id, user_id
         ), filled as (
           update notifications n set digest_id = made.id from made
           where n.org_id = $1 and n.user_id = made.user_id and n.digest_id is null and (n.email = 'daily' or n.slack = 'daily')
             and n.created_at < $3
         )
         select id from made`,
});

/** Removes the items of former members and disabled accounts, so that no digest includes them. */
export const dropUndeliverableItems = statement({
  name: 'drop_waiting_news_of_strangers',
  params: ['orgId', 'before'],
  text: `update notifications n set email = 'none', slack = 'none'
         where n.org_id = $1 and n.digest_id is null and (n.email = 'daily' or n.slack = 'daily') and n.created_at < $2
           and not exists (
             select from memberships m join users u on u.id = m.user_id
             where m.org_id = n.org_id and m.user_id = n.user_id and u.disabled_at is null)`,
});

/**
 * Claims a digest, so that no other process sends it. A claim expires once it is so old that its process must be dead.
 * Returns no row if another process has claimed the digest, if it was sent, or if its recipient is no longer a member
 * or has a disabled account.
 */
export const claimDigest = statement({
  name: 'claim_digest',
  params: ['orgId', 'id', 'claim', 'silentSeconds'],
  row: z.object({ user_id: z.uuid(), name: z.string(), email: z.string(), organization: z.string() }),
  text: `update digests d set state = 'sending', claim = $3, claimed_at = clock_timestamp()
         from users u, memberships m, organizations o
         where d.org_id = $1 and d.id = $2 and u.id = d.user_id and u.disabled_at is null and m.org_id = d.org_id and m.user_id = d.user_id and o.id = d.org_id
           and (d.state in ('waiting', 'given_up')
                or (d.state = 'sending' and d.claimed_at < clock_timestamp() - make_interval(secs => $4::float8)))
         returning d.user_id, u.name, u.email, o.name as organization`,
});

export const findDigestState = statement({
  name: 'find_digest_state',
  params: ['orgId', 'id'],
  row: z.object({ state: z.enum(['waiting', 'sending', 'sent', 'given_up']) }),
  text: `select state from digests where org_id = $1 and id = $2`,
});

export const finishDigest = statement({
  name: 'finish_digest',
  params: ['orgId', 'id', 'claim', 'state'],
  text: `update digests set state = $4 where org_id = $1 and id = $2 and claim = $3 and state = 'sending'`,
});

/** Marks the digest of a former member or a disabled account as failed. */
export const failUndeliverableDigest = statement({
  name: 'drop_digest_of_stranger',
  params: ['orgId', 'id'],
  text: `update digests d set state = 'given_up' where d.org_id = $1 and d.id = $2 and d.state = 'waiting'
           and not exists (
             select from memberships m join users u on u.id = m.user_id
             where m.org_id = d.org_id and m.user_id = d.user_id and u.disabled_at is null)`,
});

/** The items of a digest, oldest first. */
export const listDigestItems = statement({
  name: 'list_digest_items',
  params: ['orgId', 'id'],
  row: z.object({
    kind: z.custom<NotificationKind>(),
    title: z.string(),
    body: z.string(),
    run_id: z.uuid().nullable(),
    workflow_key: z.string().nullable(),
    draft_id: z.uuid().nullable(),
    created_at: z.date(),
    email: z.string(),
    slack: z.string(),
  }),
  text: `select kind, title, body, run_id, workflow_key, draft_id, created_at, email, slack from notifications
         where org_id = $1 and digest_id = $2 order by created_at, id`,
});
