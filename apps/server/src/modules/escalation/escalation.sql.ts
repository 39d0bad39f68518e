import { z } from 'zod';
import { statement } from '../../db/statement.ts';

type PersonRow = { id: string; name: string; email: string };

const row = z.object({
  workflow_id: z.uuid(),
  title: z.string(),
  tell: z.custom<string[] | null>(),
  again_after_minutes: z.number().nullable(),
  updated_at: z.date().nullable(),
  updated_by: z.string().nullable(),
  /** The change that is waiting for a second manager. */
  pending: z.custom<{ tell: string[]; againAfterMinutes: number | null; by: PersonRow; at: string } | null>(),
  now: z.date(),
});
export type EscalationRow = z.output<typeof row>;

/** The escalation of a workflow by its key or id. The columns are null if none was set. */
export const findEscalation = statement({
  name: 'find_escalation',
  params: ['orgId', 'key', 'workflowId'],
  row,
  text: `select w.id as workflow_id, w.title, e.tell, e.again_after_minutes, e.updated_at, u.name as updated_by, clock_timestamp() as now,
                (select json_build_object('tell', k.payload -> 'tell', 'againAfterMinutes', k.payload -> 'againAfterMinutes',
                                          'at', k.proposed_at, 'by', json_build_object('id', p.id, 'name', p.name, 'email', p.email))
                 from confirmations k join users p on p.id = k.proposed_by
                 where k.org_id = w.org_id and k.kind = 'escalation' and k.subject_id = w.id::text and k.status = 'waiting') as pending
         from workflows w
         left join workflow_escalations e on e.org_id = w.org_id and e.workflow_id = w.id
         left join users u on u.id = e.updated_by
         where w.org_id = $1 and (w.key = $2 or w.id = $3::uuid) and w.deleted_at is null`,
});

/** Locks a workflow, so that its escalation can't be changed concurrently. */
export const lockEscalation = statement({
  name: 'lock_escalation',
  params: ['orgId', 'key'],
  row: z.object({ id: z.uuid() }),
  text: `select w.id from workflows w
         where w.org_id = $1 and w.key = $2 and w.deleted_at is null
         for no key update`,
});

export const saveEscalation = statement({
  name: 'save_escalation',
  params: ['orgId', 'workflowId', 'tell', 'againAfterMinutes', 'userId', 'at'],
  text: `insert into workflow_escalations as e (org_id, workflow_id, tell, again_after_minutes, updated_by, updated_at)
         values ($1, $2, $3::jsonb, $4, $5, $6)
         on conflict (org_id, workflow_id) do update
         set tell = excluded.tell, again_after_minutes = excluded.again_after_minutes, updated_by = excluded.updated_by,
             updated_at = excluded.updated_at`,
});

/** The escalation of a run's workflow. There is no row if none was set. */
export const findEscalationOfRun = statement({
  name: 'find_escalation_of_run',
  params: ['orgId', 'runId'],
  row: z.object({ tell: z.custom<string[]>(), again_after_minutes: z.number().nullable() }),
  text: `select e.tell, e.again_after_minutes
         from runs r join workflow_escalations e on e.org_id = r.org_id and e.workflow_id = r.workflow_id
         where r.org_id = $1 and r.id = $2`,
});
