import type { OrgRole } from '@stet/domain/access';
import { z } from 'zod';
import { statement } from '../../../db/statement.ts';

export const makeLostJobsAgain = statement({
  name: 'make_lost_jobs_again',
  params: ['olderThanSeconds'],
  row: z.object({ made: z.number() }),
  text: `select make_lost_jobs_again(make_interval(secs => $1::float8)) as made`,
});

/** The members that a notification step names, by e-mail or by role. */
export const listRecipients = statement({
  name: 'list_recipients',
  params: ['orgId', 'emails', 'roles'],
  row: z.object({ id: z.uuid(), email: z.string(), name: z.string(), role: z.custom<OrgRole>() }),
  text: `select u.id, u.email, u.name, m.role
         from memberships m join users u on u.id = m.user_id
         where m.org_id = $1 and (u.email = any ($2::text[]) or m.role = any ($3::text[]))
         order by u.email`,
});

export const listDeliveries = statement({
  name: 'list_step_deliveries',
  params: ['orgId', 'runId', 'stepId', 'activation'],
  row: z.object({ channel: z.string(), recipient: z.string(), state: z.enum(['sent', 'failed']) }),
  text: `select channel, recipient, state from step_deliveries
         where org_id = $1 and run_id = $2 and step_id = $3 and activation = $4`,
});

export const keepDelivery = statement({
  name: 'keep_step_delivery',
  params: ['orgId', 'runId', 'stepId', 'activation', 'channel', 'recipient', 'state', 'problem'],
  text: `insert into step_deliveries (org_id, run_id, step_id, activation, channel, recipient, state, problem)
         values ($1, $2, $3, $4, $5, $6, $7, left($8, 500))
         on conflict do nothing`,
});
