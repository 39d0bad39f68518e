import { z } from 'zod';
import { statement } from '../../db/statement.ts';

export { applyEscalation } from './apply-escalation.ts';

/** What the workflow of a run says of escalation; no row where it says nothing. */
export const findEscalationOfRun = statement({
  name: 'find_escalation_of_run',
  params: ['orgId', 'runId'],
  row: z.object({ tell: z.custom<string[]>(), again_after_minutes: z.number().nullable() }),
  text: `select e.tell, e.again_after_minutes
         from runs r join workflow_escalations e on e.org_id = r.org_id and e.workflow_id = r.workflow_id
         where r.org_id = $1 and r.id = $2`,
});
