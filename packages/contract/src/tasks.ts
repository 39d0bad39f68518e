import { STEP_TYPES } from '@stet/domain/steps';
import { SLA_STATES } from '@stet/domain/sla';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { PRIORITIES } from './run-shapes.ts';
import { id, moment, person } from './shared.ts';
import { workflowKey } from './workflow-content.ts';

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
   * Whether the step is assigned to the reader (by address or as the run's starter), to one of their groups, to their
   * role, or to nobody. In the last case anyone with the permission can act on it.
   */
  waitsFor: z.enum(['me', 'group', 'role', 'anyone']),
  /**
   * True if the reader can only reject the step, because their approval wouldn't count. For example, an account that
   * may be theirs did the work, or someone who did it gave them the group or role. After a rejection, the work is done
   * again.
   */
  onlyReject: z.boolean(),
  /** The person who delegated this work to the reader; null if the step waits for the reader. */
  onBehalfOf: person.nullable(),
  activatedAt: moment.nullable(),
  dueAt: moment.nullable(),
  slaState: z.enum(SLA_STATES).nullable(),
  /** The server's clock at the response, in ms since 1970; compare the due time with it. */
  now: z.number(),
});
export type Task = z.infer<typeof task>;

const reviewTask = z.object({
  workflowKey: z.string(),
  draftId: id,
  title: z.string(),
  /** The person who created the draft. */
  author: person,
  submittedAt: moment,
  /** The number of steps and fields that differ from the live version. */
  changes: z.number().int(),
  /** Approvals that count, and how many the policy requires. */
  approvals: z.object({ has: z.number().int(), needed: z.number().int() }),
  /** Names of the groups that have to approve it and haven't yet. */
  groups: z.array(z.string()),
  /** The person who delegated the review to the reader; null if it is the reader's own. */
  onBehalfOf: person.nullable(),
});
export type ReviewTask = z.infer<typeof reviewTask>;

const doneTask = z.object({
  /** Identifies the entry within the organization. */
  id: z.number().int(),
  at: moment,
  /** `returned`: input that someone else submitted was sent back. `changes_requested`: for a draft. */
  did: z.enum(['completed', 'submitted', 'approved', 'rejected', 'returned', 'changes_requested']),
  /** The step's or draft's title. */
  title: z.string(),
  workflowTitle: z.string(),
  /** Null for a review of a draft. */
  run: z.object({ id, name: z.string() }).nullable(),
  /** Null for a step, and if the draft was discarded. */
  draft: z.object({ key: z.string(), id }).nullable(),
});
export type DoneTask = z.infer<typeof doneTask>;

export const taskRoutes = {
  'GET /api/tasks': {
    access: 'workflow.read',
    summary: 'Tasks waiting for the user, by due time; X-Next-Cursor contains the cursor of the next page',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: z.string().max(200).optional(),
      /** Only tasks that name the user, or only those for their role, their groups or anyone. By default, all. */
      for: z.enum(['me', 'role']).optional(),
      workflow: workflowKey.optional().describe('Only tasks in runs of this workflow'),
    }),
    ok: z.array(task),
  },
  'GET /api/tasks/count': {
    access: 'workflow.read',
    summary: 'Number of tasks waiting for the user, counted up to 100, and when the first is due',
    ok: z.object({
      count: z.number().int(),
      overdue: z.number().int(),
      nextDueAt: moment.nullable(),
      reviewsForOthers: z.boolean().describe('Whether someone has delegated their reviews of drafts to the user'),
    }),
  },
  'GET /api/tasks/reviews': {
    access: 'workflow.read',
    summary:
      'Drafts that wait for a review by the user, oldest first; a page can be shorter than `limit`, and X-Next-Cursor contains the cursor of the next one',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(50).default(20),
      cursor: z.string().max(200).optional(),
    }),
    ok: z.array(reviewTask),
  },
  'GET /api/tasks/reviews/count': {
    access: 'workflow.read',
    summary: 'Number of drafts that wait for a review by the user, among the 100 submitted first',
    ok: z.object({ count: z.number().int() }),
  },
  'GET /api/tasks/done': {
    access: 'workflow.read',
    tokens: 'personal',
    summary:
      'What the user has completed, decided and reviewed, newest first; X-Next-Cursor contains the cursor of the next page',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(100).default(30),
      cursor: z
        .string()
        .regex(/^\d{1,18}$/, 'is not a cursor for this list')
        .optional(),
    }),
    ok: z.array(doneTask),
  },
} satisfies Routes;
