import { TRIAL_SECONDS } from '@stet/contract';
import type { JsonObject } from '@stet/domain/runs';
import { STEP_DEFAULTS } from '@stet/domain/workflows';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';

/** Runs a script once, as a run would, and keeps nothing of it. That it failed is an answer, not a refusal. */
export const tryScript: Handler<'POST /api/workflows/script-trial'> = async ({ sandbox }, { body, actor }) => {
  const { script, timeout = STEP_DEFAULTS.automated.config.timeout } = body;
  const input = { outputs: body.outputs as JsonObject, run: body.run as JsonObject, step: body.step as JsonObject };
  const ended = await sandbox.attempt({
    orgId: actor.orgId,
    script,
    timeoutMs: Math.min(timeout, TRIAL_SECONDS) * 1000,
    input,
  });
  const { log } = ended;
  if (ended.outcome === 'failed') return answer({ ok: false as const, reason: ended.reason, log });
  return answer({ ok: true as const, output: ended.value as OutputOf, log });
};

type OutputOf = null | boolean | number | string | OutputOf[] | { [name: string]: OutputOf };
