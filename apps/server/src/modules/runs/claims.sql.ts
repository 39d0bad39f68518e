import type { StepType } from '@stet/domain/steps';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';

/**
 * Finds a member by id or by one of these addresses, and whether the account is disabled. `also` contains the ids of
 * other people who count as having done this person's actions, and `former_emails` the earlier addresses of the
 * account. Locks the membership, so that it can't end before the transaction does, and the account, so that it can't be
 * disabled before.
 */
export const findNextPerson = statement({
  name: 'find_next_person',
  params: ['orgId', 'id', 'emails'],
  row: z.object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    former_emails: z.custom<string[]>(),
    also: z.custom<string[]>(),
    is_disabled: z.boolean(),
  }),
  text: `select u.id, u.name, u.email, array(select f.email from former_addresses f where f.user_id = u.id) as former_emails,
                array_remove(people_behind($1, u.id), u.id)::text[] as also, u.disabled_at is not null as is_disabled
         from memberships m join users u on u.id = m.user_id
         where m.org_id = $1 and (u.id = $2 or u.email = any (current_addresses($3)))
         limit 1 for share of m, u`,
});

/** Finds a group and whether it has members. Locks it, so that it can't be deleted before the transaction ends. */
export const findNextGroup = statement({
  name: 'find_next_group',
  params: ['orgId', 'slug'],
  row: z.object({ slug: z.string(), name: z.string(), has_members: z.boolean() }),
  text: `select g.slug, g.name, exists (
           select from group_members m where m.org_id = g.org_id and m.group_id = g.id
         ) as has_members
         from groups g where g.org_id = $1 and g.slug = $2 for key share of g`,
});

/**
 * Locks the membership of a person whose steps this transaction releases, so that they can't claim a step or be given
 * one.
 */
export const lockMembership = statement({
  name: 'lock_membership',
  params: ['orgId', 'userId'],
  row: z.object({ user_id: z.uuid() }),
  text: `select user_id from memberships where org_id = $1 and user_id = $2 for update`,
});

/** The active steps in open runs that a person has because of a claim or a hand-over. */
export const listHeldSteps = statement({
  name: 'list_held_steps',
  params: ['orgId', 'userId'],
  row: z.object({ run_id: z.uuid(), step_id: z.string(), type: z.custom<StepType>() }),
  text: `select s.run_id, s.step_id, s.type from run_steps s
         join runs r on r.org_id = s.org_id and r.id = s.run_id
         where s.org_id = $1 and s.held_by @> array[$2::uuid] and s.state = 'active' and r.status in ('running', 'paused', 'failed')
         order by s.run_id, s.step_id`,
});

/** The steps of `listHeldSteps`, counted by workflow. */
export const countHeldSteps = statement({
  name: 'count_held_steps',
  params: ['orgId', 'userId'],
  row: z.object({ key: z.string(), title: z.string(), steps: z.number(), approvals: z.number() }),
  text: `select r.workflow_key as key, min(r.workflow_title) as title, count(*) filter (where s.type <> 'approval')::int as steps,
                count(*) filter (where s.type = 'approval')::int as approvals
         from run_steps s join runs r on r.org_id = s.org_id and r.id = s.run_id
         where s.org_id = $1 and s.held_by @> array[$2::uuid] and s.state = 'active' and r.status in ('running', 'paused', 'failed')
         group by r.workflow_key order by lower(min(r.workflow_title)), r.workflow_key`,
});
