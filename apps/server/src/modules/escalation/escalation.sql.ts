import { z } from 'zod';
import { statement } from '../../db/statement.ts';

const row = z.object({
  workflow_id: z.uuid(),
  tell: z.custom<string[] | null>(),
  again_after_minutes: z.number().nullable(),
  updated_at: z.date().nullable(),
  updated_by: z.string().nullable(),
  now: z.date(),
});
export type EscalationRow = z.output<typeof row>;

/** The escalation of a workflow by its key; nulls where none was set. */
export const findEscalation = statement({
  name: 'find_escalation',
  params: ['orgId', 'key'],
  row,
  text: `select w.id as workflow_id, e.tell, e.again_after_minutes, e.updated_at, u.name as updated_by, clock_timestamp() as now
         from workflows w
         left join workflow_escalations e on e.org_id = w.org_id and e.workflow_id = w.id
         left join users u on u.id = e.updated_by
         where w.org_id = $1 and w.key = $2 and w.deleted_at is null`,
});

/** The same, held: two who change it at once do so one after the other. */
export const lockEscalation = statement({
  name: 'lock_escalation',
  params: ['orgId', 'key'],
  row,
  text: `select w.id as workflow_id, e.tell, e.again_after_minutes, e.updated_at, u.name as updated_by, clock_timestamp() as now
         from workflows w
         left join workflow_escalations e on e.org_id = w.org_id and e.workflow_id = w.id
         left join users u on u.id = e.updated_by
         where w.org_id = $1 and w.key = $2 and w.deleted_at is null
         for no key update of w`,
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
