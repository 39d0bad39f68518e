import { MAX_WORKFLOW_PEOPLE } from '@stet/domain/access';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { id, moment, person } from './shared.ts';
import { workflowParams } from './workflow-content.ts';

const people = (noun: string) => z.array(id).max(MAX_WORKFLOW_PEOPLE, `Choose at most ${MAX_WORKFLOW_PEOPLE} ${noun}`);

/** The people responsible for a workflow, and its reviewers, one of whom has to approve each draft. */
const workflowPeople = z.object({
  owners: z.array(person),
  reviewers: z.array(person),
  needsReviewer: z
    .boolean()
    .describe('One of the reviewers has to approve each draft; stays true when the last reviewer leaves'),
  pending: z
    .object({ reviewers: z.array(person), proposedBy: person, proposedAt: moment })
    .nullable()
    .describe('A weaker list of reviewers that a second manager must confirm'),
  abilities: z.object({ change: z.boolean() }),
});
export type WorkflowPeople = z.infer<typeof workflowPeople>;

export const workflowPeopleRoutes = {
  'GET /api/workflows/{key}/people': {
    access: 'workflow.read',
    summary: 'The owners and reviewers of a workflow',
    params: workflowParams,
    ok: workflowPeople,
  },
  'PATCH /api/workflows/{key}/people': {
    access: 'org.manage',
    summary:
      'Replace the owners or reviewers of a workflow; removing a reviewer needs confirmation by another owner or admin',
    params: workflowParams,
    body: z.strictObject({
      owners: people('owners').optional().describe('Ids of members; they are notified, and get no rights'),
      reviewers: people('reviewers')
        .optional()
        .describe('Ids of members who can review; one of them has to approve each draft. Empty for no requirement'),
    }),
    ok: workflowPeople,
  },
} satisfies Routes;
