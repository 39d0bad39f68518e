import { z } from 'zod';
import { statement } from '../../db/statement.ts';

/** The active step that a job was made for, with the member it is assigned to by e-mail; no row once it has moved on. */
export const findAssignment = statement({
  name: 'find_assignment',
  params: ['orgId', 'runId', 'stepId', 'activation'],
  row: z.object({
    email: z.string(),
    name: z.string(),
    step_title: z.string(),
    due_at: z.date().nullable(),
    run_name: z.string(),
    workflow_title: z.string(),
  }),
  text: `select u.email, u.name, s.title as step_title, s.due_at, r.name as run_name, r.workflow_title
         from run_steps s
         join runs r on r.org_id = s.org_id and r.id = s.run_id
         join users u on u.email = lower(s.assignee)
         join memberships m on m.org_id = s.org_id and m.user_id = u.id
         where s.org_id = $1 and s.run_id = $2 and s.step_id = $3 and s.activation = $4 and s.state = 'active'
           and r.status in ('running', 'paused')`,
});
