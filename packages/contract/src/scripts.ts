import { SCRIPT_SECONDS } from '@stet/domain/steps';
import { z } from 'zod';
import type { Routes } from './route.ts';

const json = z.json();
const byName = z.record(z.string().max(300), json);

/** Maximum duration of a trial, in seconds; in a run, the step's settings set the limit. */
export const TRIAL_SECONDS = 10;
/** The limit for accounts less than a day old, in seconds. */
export const NEW_ACCOUNT_TRIAL_SECONDS = 3;

export const scriptRoutes = {
  'POST /api/workflows/script-trial': {
    access: 'draft.edit',
    summary: 'Run a script as an automated step would, with the outputs in the request; nothing is saved',
    body: z.strictObject({
      script: z.string().max(50_000),
      timeout: z
        .number()
        .int()
        .min(1)
        .max(SCRIPT_SECONDS.longestTimeout)
        .optional()
        .describe(
          `In seconds; limited to ${TRIAL_SECONDS}, or to ${NEW_ACCOUNT_TRIAL_SECONDS} on an account’s first day`,
        ),
      outputs: byName.default({}).describe('By step id'),
      run: byName.default({}),
      step: byName.default({}),
    }),
    ok: z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), output: json, log: z.array(z.string()) }),
      z.object({ ok: z.literal(false), reason: z.string(), log: z.array(z.string()) }),
    ]),
    // A trial occupies one of the few script workers.
    rateLimit: { name: 'script-trial', perAddress: 240, perAccount: 120, windowSeconds: 600 },
  },
} satisfies Routes;
