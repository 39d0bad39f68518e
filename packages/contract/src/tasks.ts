import { STEP_TYPES } from '@stet/domain/workflows';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { PRIORITIES, SLA_STATES } from './run-shapes.ts';
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
  /** In person, as a holder of the role, or as one of those who may act on it, where it is assigned to nobody. */
  waitsFor: z.enum(['me', 'role', 'anyone']),
  activatedAt: moment.nullable(),
  dueAt: moment.nullable(),
  slaState: z.enum(SLA_STATES).nullable(),
  /** Milliseconds since 1970 of the server's clock when it answered; the due time compares with it. */
  now: z.number(),
});
export type Task = z.infer<typeof task>;

export const taskRoutes = {
  'GET /api/tasks': {
    access: 'workflow.read',
    summary: 'What waits on the person who asks, by due time; X-Next-Cursor names the next page',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: z.string().max(200).optional(),
    }),
    ok: z.array(task),
  },
  'GET /api/tasks/count': {
    access: 'workflow.read',
    summary: 'How many tasks wait on the person who asks, counted up to 100, and when the first is due',
    ok: z.object({ count: z.number().int(), overdue: z.number().int(), nextDueAt: moment.nullable() }),
  },
} satisfies Routes;
