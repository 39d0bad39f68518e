import type { BodyOf } from '@stet/contract';
import type { PersonCommand } from '@stet/domain/runs';
import type { Handler } from '../../http/handler.ts';
import { findAnswer, savedAnswer } from '../../http/idempotency.ts';
import { answerTo } from '../../http/refusals.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Once } from '../../kernel/database.ts';
import type { Deps } from '../../kernel/deps.ts';
import { Refused } from '../../kernel/refused.ts';
import { actOnRun } from './act-on-run.ts';

type Bulk = BodyOf<'POST /api/runs/bulk'>;

/**
 * Executes one action on several runs, one after the other, like separate requests. Each run has its own transaction,
 * and its own audit event or refusal.
 */
export const bulkRuns: Handler<'POST /api/runs/bulk'> = async (deps, { actor, once, body }) => {
  const saved = once && (await deps.db.transaction(actor, (tx) => tx.maybeOne(findAnswer, keyOf(actor, once))));
  const known = saved && once && savedAnswer<typeof given.body>(saved, once);
  if (known) return known;
  const results = [];
  for (const id of new Set(body.ids)) results.push({ id, refusal: await changeRun(deps, { actor, once, body, id }) });
  const given = answer({ results });
  return deps.db.changeOnce(actor, once, async () => given);
};

/**
 * Changes one run. Returns the refusal, or null if the run was changed. Other errors end the whole request, which can
 * be repeated with the same idempotency key.
 */
async function changeRun(
  deps: Deps,
  { actor, once, body, id }: { actor: OrgActor; once: Once | null; body: Bulk; id: string },
): Promise<{ code: string; error: string } | null> {
  try {
    await actOnRun(
      deps,
      // With one key per run, a repeated request continues where an interrupted one stopped.
      { actor, once: once && { ...once, key: `${once.key}:${id}` }, runId: id, command: (row) => commandOf(body, row) },
      () => ({}),
    );
    return null;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { body: said, status } = answerTo(error.refusal);
    // These failures are the server's, not the run's.
    if (status >= 500) throw error;
    return { code: said.code, error: said.error };
  }
}

const keyOf = ({ orgId, userId }: OrgActor, { key }: Once) => ({ orgId, userId, key });

function commandOf({ action, reason, priority }: Bulk, run: { priority: string }): PersonCommand {
  if (action === 'pause') return { type: 'pause', reason };
  if (action === 'cancel') return { type: 'cancel', reason: reason ?? '' };
  return { type: 'set_priority', from: run.priority, to: priority ?? run.priority, reason };
}
