import { STEP_TYPES } from '@stet/domain/steps';
import { SLA_STATES } from '@stet/domain/sla';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { PRIORITIES } from './run-shapes.ts';
import { id, moment } from './shared.ts';

const task = z.object({
  runId: id,
  runName: z.string(),
  priority: z.enum(PRIORITIES),
  workflowKey: z.string(),
  workflowTitle: z.string(),
  stepId: z.string(),
  title: z.string(),
  type: z.enum(STEP_TYPES),
  assignee: z.string(),
  /**
   * Whether the step is assigned to the reader, to one of their roles, or to nobody. In the last case anyone with the
   * permission can act on it.
   */
  waitsFor: z.enum(['me', 'role', 'anyone']),
  activatedAt: moment.nullable(),
  dueAt: moment.nullable(),
  slaState: z.enum(SLA_STATES).nullable(),
  /** The server's clock at the response, in ms since 1970; compare the due time with it. */
  now: z.number(),
});
export type Task = z.infer<typeof task>;

export const taskRoutes = {
  'GET /api/tasks': {
    access: 'workflow.read',
    summary: 'Tasks waiting for the user, by due time; X-Next-Cursor contains the cursor of the next page',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: z.string().max(200).optional(),
    }),
    ok: z.array(task),
  },
  'GET /api/tasks/count': {
    access: 'workflow.read',
    summary: 'Number of tasks waiting for the user, counted up to 100, and when the first is due',
    ok: z.object({ count: z.number().int(), overdue: z.number().int(), nextDueAt: moment.nullable() }),
  },
} satisfies Routes;
