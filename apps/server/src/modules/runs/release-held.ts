import { decide, type LeaverReason, type RunFact, type RunState, stepStateOf } from '@stet/domain/runs';
import { auditActor, type OrgActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { unwrap } from '../../kernel/refused.ts';
import { listHeldSteps, lockMembership } from './claims.sql.ts';
import { columnsOf, recordFacts } from './record-facts.ts';
import { readNow } from './run-command.ts';
import { runActorOf } from './run-actor.ts';
import { lockRun, type RunRow, saveRuns } from './runs.sql.ts';

/**
 * Releases all steps that a person has, because their membership ends in this transaction. Returns a function that
 * writes the result, to be called with the other writes.
 */
export async function releaseHeld(
  tx: Tx,
  actor: OrgActor,
  { userId, because }: { userId: string; because: LeaverReason },
): Promise<() => void> {
  const { orgId } = actor;
  // The membership is locked first, as by a claim. None can therefore be missed, and the two never wait for each other.
  const [, held, { now }] = await Promise.all([
    tx.maybeOne(lockMembership, { orgId, userId }),
    tx.many(listHeldSteps, { orgId, userId }),
    readNow(tx),
  ]);
  if (held.length === 0) return () => undefined;
  const ids = [...new Set(held.map(({ run_id: id }) => id))].toSorted();
  const rows = (await Promise.all(ids.map((runId) => tx.maybeOne(lockRun, { orgId, runId })))).filter(
    (row) => row !== undefined,
  );
  const by = runActorOf(actor);
  const changes = rows.map((row) => {
    const steps = held.filter(({ run_id: id }) => id === row.id);
    let state: RunState = row.state;
    const facts: RunFact[] = [];
    for (const { step_id: stepId } of steps) {
      const decided = decide(
        { steps: row.steps },
        state,
        { type: 'release', stepId, holderId: userId, because },
        { at: now, actor: by, calendar: row.working_hours },
      );
      // The step was released or completed since the list was read, and the run may have ended with it.
      if (!decided.ok && (decided.refusal.code === 'not_claimed' || stepStateOf(state, stepId)?.state !== 'active'))
        continue;
      state = unwrap(decided).state;
      facts.push(...unwrap(decided).facts);
    }
    return { row, state, facts };
  });
  return () => save(tx, actor, changes);
}

type Changed = { row: RunRow; state: RunState; facts: readonly RunFact[] };

function save(tx: Tx, actor: OrgActor, changes: readonly Changed[]): void {
  const { orgId } = actor;
  for (const { row, state, facts } of changes) {
    if (facts.length === 0) continue;
    const workflow = { steps: row.steps };
    tx.write(saveRuns, { orgId, runs: [{ id: row.id, ...columnsOf(workflow, state) }] });
    recordFacts(tx, {
      orgId,
      runId: row.id,
      runName: row.name,
      sessionId: auditActor(actor).sessionId ?? null,
      workflow,
      calendar: row.working_hours,
      state,
      facts,
      isSmall: row.is_small,
    });
  }
}
