import { STEP_KINDS } from '@stet/domain/steps';
import { z } from 'zod';
import { commonFields, stepId, skip } from './common.ts';

const { assignedRole, minimumApprovers } = STEP_KINDS.approval.settings;

/** Older clients stored approval as `review`. */
export const approval = z.strictObject({
  ...commonFields,
  type: z.enum(['approval', 'review']).transform((): 'approval' => 'approval'),
  config: z
    .strictObject({
      assignedRole: z
        .string()
        .trim()
        .max(assignedRole.limit)
        .optional()
        .describe('People with this role may act, as well as the assignee'),
      requiresApproval: z.boolean().optional(),
      minimumApprovers: z
        .number()
        .int()
        .min(1)
        .max(minimumApprovers.limit)
        .optional()
        .describe('How many people must approve'),
      onReject: stepId
        .optional()
        .describe('The earlier step that a rejection returns to; without it, a rejection fails the run'),
      separateFrom: z
        .boolean()
        .optional()
        .describe('The person who completed the previous step can’t approve this one'),
      skip,
    })
    .default({}),
});
