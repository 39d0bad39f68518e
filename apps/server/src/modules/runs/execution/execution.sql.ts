import type { OrgRole } from '@stet/domain/access';
import { z } from 'zod';
import { statement } from '../../../db/statement.ts';

export const reenqueueLostJobs = statement({
  name: 'make_lost_jobs_again',
  params: ['olderThanSeconds', 'types', 'tasks'],
  row: z.object({ enqueued: z.number() }),
  text: `select make_lost_jobs_again(make_interval(secs => $1::float8), $2, $3) as enqueued`,
});

/** The members with one of these addresses, which can be former ones, or one of these roles. */
export const listRecipients = statement({
  name: 'list_recipients',
  params: ['orgId', 'emails', 'roles'],
  row: z.object({
    id: z.uuid(),
    email: z.string(),
    former_emails: z.custom<string[]>(),
    name: z.string(),
    role: z.custom<OrgRole>(),
    is_disabled: z.boolean(),
  }),
  text: `select u.id, u.email, array(select f.email from former_addresses f where f.user_id = u.id) as former_emails,
                u.name, m.role, u.disabled_at is not null as is_disabled
         from memberships m join users u on u.id = m.user_id
         where m.org_id = $1 and (u.email = any (current_addresses($2)) or m.role = any ($3::text[]))
         order by u.email`,
});

export const listDeliveries = statement({
  name: 'list_step_deliveries',
  params: ['orgId', 'runId', 'stepId', 'activation', 'channel'],
  row: z.object({ recipient: z.string(), state: z.enum(['sending', 'waiting', 'sent', 'failed']) }),
  text: `select recipient, state from step_deliveries
         where org_id = $1 and run_id = $2 and step_id = $3 and activation = $4 and channel = $5`,
});

/**
 * Claims a recipient, so that no other job sends to them. A claim expires once it is so old that its process counts as
 * dead. `is_wanted` is false if the run is paused or the step is no longer active.
 */
export const claimDelivery = statement({
  name: 'claim_step_delivery',
  params: ['orgId', 'runId', 'stepId', 'activation', 'channel', 'recipient', 'claim', 'silentMs'],
  row: z.object({ is_wanted: z.boolean(), is_claimed: z.boolean() }),
  text: `with wanted as (
           select 1 from runs r join run_steps s on s.org_id = r.org_id and s.run_id = r.id
           where r.org_id = $1 and r.id = $2 and r.status = 'running'
             and s.step_id = $3 and s.activation = $4 and s.state = 'active'
         ), claimed as (
           insert into step_deliveries as d (org_id, run_id, step_id, activation, channel, recipient, state, claim)
           select $1, $2, $3, $4, $5, $6, 'sending', $7 from wanted
           on conflict (org_id, run_id, step_id, activation, channel, recipient) do update
             set state = 'sending', claim = excluded.claim, at = clock_timestamp()
             where d.state = 'waiting'
                or (d.state = 'sending' and d.at < clock_timestamp() - make_interval(secs => $8::float8 / 1000))
           returning 1
         )
         select exists (select from wanted) as is_wanted, exists (select from claimed) as is_claimed`,
});

/** Renews the claim on a recipient to show that its job is still alive. */
export const renewClaim = statement({
  name: 'renew_step_delivery_claim',
  params: ['orgId', 'runId', 'stepId', 'activation', 'channel', 'recipient', 'claim'],
  text: `update step_deliveries set at = clock_timestamp()
         where org_id = $1 and run_id = $2 and step_id = $3 and activation = $4 and channel = $5
           and recipient = $6 and claim = $7 and state = 'sending'`,
});

/**
 * Saves the outcome of sending. If another job has taken over the claim, only `sent` is saved. If the outcome is
 * `waiting`, any job can retry. `sent` and `failed` never change.
 */
export const finishDelivery = statement({
  name: 'finish_step_delivery',
  params: ['orgId', 'runId', 'stepId', 'activation', 'channel', 'recipient', 'claim', 'state', 'problem'],
  text: `update step_deliveries set state = $8, problem = left($9, 500), at = clock_timestamp()
         where org_id = $1 and run_id = $2 and step_id = $3 and activation = $4 and channel = $5
           and recipient = $6 and state = 'sending' and (claim = $7 or $8 = 'sent')`,
});
