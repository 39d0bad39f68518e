import { DELEGATION_KINDS } from '@stet/domain/access';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { id, message, moment, person } from './shared.ts';
import { workflowKey } from './workflow-content.ts';

const kinds = z.array(z.enum(DELEGATION_KINDS)).min(1, 'Choose what to delegate').max(DELEGATION_KINDS.length);

/** A delegation: for some time, one member does another's work. */
export const delegation = z.object({
  id,
  delegator: person,
  delegate: person,
  from: moment,
  until: moment.describe('Exclusive'),
  kinds: z.array(z.enum(DELEGATION_KINDS)),
  workflowKeys: z.array(z.string()).nullable().describe('Null for all workflows'),
  reason: z.string(),
  isActive: z.boolean().describe('Whether it has begun'),
});
export type Delegation = z.infer<typeof delegation>;

export const MAX_LISTED_DELEGATIONS = 200;

export const delegationRoutes = {
  'GET /api/delegations': {
    access: 'workflow.read',
    tokens: 'personal',
    summary: `Current and planned delegations from and to the user, by start, at most ${MAX_LISTED_DELEGATIONS}`,
    ok: z.array(delegation),
  },
  'POST /api/delegations': {
    access: 'workflow.read',
    // A token has only some of its owner's permissions, and a delegation could lend the owner's other ones.
    tokens: 'none',
    summary: 'Delegate one’s own work to another member while away',
    body: z.strictObject({
      toUserId: id,
      from: moment,
      until: moment,
      kinds,
      workflowKeys: z
        .array(workflowKey)
        .max(100, 'Choose at most 100 workflows, or all of them')
        .optional()
        .describe('If absent, all workflows'),
      reason: z.string().trim().min(1, 'Please enter a reason').max(500, 'Use at most 500 characters'),
    }),
    ok: delegation,
    status: 201,
  },
  'DELETE /api/delegations/{id}': {
    access: 'workflow.read',
    tokens: 'none',
    summary: 'End one’s own delegation',
    params: z.strictObject({ id }),
    ok: message,
  },
} satisfies Routes;
