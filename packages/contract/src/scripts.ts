import { SCRIPT_SECONDS } from '@stet/domain/defaults';
import { z } from 'zod';
import type { Routes } from './route.ts';

const json = z.json();
const byName = z.record(z.string().max(300), json);

/** Seconds that a trial may take at most; a run gives a script what its step says. */
export const TRIAL_SECONDS = 10;

export const scriptRoutes = {
  'POST /api/workflows/script-trial': {
    access: 'draft.edit',
    summary: 'Run a script as an automated step would, against outputs that are sent along; nothing is kept',
    body: z.strictObject({
      script: z.string().max(50_000),
      timeout: z
        .number()
        .int()
        .min(1)
        .max(SCRIPT_SECONDS.longestTimeout)
        .optional()
        .describe(`Seconds; at most ${TRIAL_SECONDS} count`),
      outputs: byName.default({}).describe('By step id'),
      run: byName.default({}),
      step: byName.default({}),
    }),
    ok: z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), output: json, log: z.array(z.string()) }),
      z.object({ ok: z.literal(false), reason: z.string(), log: z.array(z.string()) }),
    ]),
    // A trial holds one of the few places where scripts run.
    rateLimit: { name: 'script-trial', perAddress: 600, perAccount: 120, windowSeconds: 600 },
  },
} satisfies Routes;
