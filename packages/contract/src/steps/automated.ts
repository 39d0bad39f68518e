import { SCRIPT_CEILING_HINT, STEP_KINDS } from '@stet/domain/steps';
import { z } from 'zod';
import { commonFields, skip } from './common.ts';

const { script, timeout } = STEP_KINDS.automated.settings;

export const automated = z.strictObject({
  ...commonFields,
  type: z.literal('automated'),
  config: z
    .strictObject({
      script: z.string().max(script.limit).optional().describe('Body of a function of outputs, run and step'),
      timeout: z.number().int().min(1).max(timeout.limit).optional().describe(`In seconds. ${SCRIPT_CEILING_HINT}`),
      skip,
    })
    .default({}),
});

/** `reportedMs` is the duration of the script in milliseconds or, if the step is simulated, a random one. */
export const automatedReport = z.object({
  kind: z.literal('automated'),
  simulated: z.boolean(),
  reportedMs: z.number().nullable(),
});
