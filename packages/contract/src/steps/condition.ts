import { STEP_KINDS } from '@stet/domain/steps';
import { z } from 'zod';
import { commonFields, stepId, skip } from './common.ts';

const { condition: expression } = STEP_KINDS.condition.settings;

export const condition = z.strictObject({
  ...commonFields,
  type: z.literal('condition'),
  config: z
    .strictObject({
      condition: z.string().max(expression.limit).optional().describe("FEEL expression over the run's outputs"),
      trueNext: stepId.optional().describe('The next step if the condition is true; also listed in next'),
      falseNext: stepId.optional().describe('The next step if the condition is false; also listed in next'),
      skip,
    })
    .default({}),
});

export const conditionReport = z.object({ kind: z.literal('condition'), result: z.boolean() });
