import { NEW_ACCOUNT_TRIAL_SECONDS, TRIAL_SECONDS } from '@stet/contract';
import type { JsonObject } from '@stet/domain/runs';
import { STEP_KINDS } from '@stet/domain/steps';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';

/** True if an account is less than a day old. */
const findAgeOfAccount = statement({
  name: 'find_age_of_account',
  params: ['userId'],
  row: z.object({ is_new: z.boolean() }),
  text: `select created_at > now() - interval '1 day' as is_new from users where id = $1`,
});

/**
 * Runs a script once, as a run would but with a shorter time limit, and stores nothing. A failure of the script is a
 * result, not a refusal.
 */
export const tryScript: Handler<'POST /api/workflows/script-trial'> = async (
  { db, sandbox },
  { body, actor, address },
) => {
  const { script, timeout = STEP_KINDS.automated.defaults.config.timeout } = body;
  const input = { outputs: body.outputs as JsonObject, run: body.run as JsonObject, step: body.step as JsonObject };
  const [account] = await db.query(findAgeOfAccount, { userId: actor.userId });
  const isNewAccount = account?.is_new ?? true;
  const most = isNewAccount ? NEW_ACCOUNT_TRIAL_SECONDS : TRIAL_SECONDS;
  const ended = await sandbox.attempt({
    address,
    isNewAccount,
    script,
    timeoutMs: Math.min(timeout, most) * 1000,
    input,
  });
  const { log } = ended;
  if (ended.outcome === 'failed') return answer({ ok: false as const, reason: ended.reason, log });
  return answer({ ok: true as const, output: ended.value as OutputOf, log });
};

type OutputOf = null | boolean | number | string | OutputOf[] | { [name: string]: OutputOf };
