import { type SystemCommand, SYSTEM_ACTOR, applyFacts, decide } from '@stet/domain/runs';
import type { Tx } from '../../kernel/database.ts';
import type { Deps } from '../../kernel/deps.ts';
import { saveDecided } from './record-facts.ts';
import { lockRun, readClock } from './runs.sql.ts';
import { isUnaltered } from './unaltered-version.ts';

type Report = {
  orgId: string;
  runId: string;
  command: SystemCommand;
  /** What is kept together with the result, and only with it. */
  alongside?: (tx: Tx) => void;
};

/**
 * Hands in what a job has done. Taken once, for the activation it was made for: a result that comes late, twice, or while
 * the run is paused or over, changes nothing, and the job is at its end all the same.
 */
export async function reportStep(
  { db, log, pokeOutbox }: Pick<Deps, 'db' | 'log' | 'pokeOutbox'>,
  { orgId, runId, command, alongside }: Report,
): Promise<void> {
  await db.transaction({ orgId, userId: null }, async (tx) => {
    const [row, clock] = await Promise.all([tx.maybeOne(lockRun, { orgId, runId }), tx.maybeOne(readClock, {})]);
    if (!row || !clock) return;
    if (!isUnaltered(row)) {
      log.error({ runId, versionId: row.version_id }, 'the version of a run was altered: the run does not go on');
      return;
    }
    const workflow = { steps: row.steps };
    const decision = decide(workflow, row.state, command, {
      at: clock.now,
      actor: SYSTEM_ACTOR,
      calendar: row.working_hours,
    });
    if (!decision.ok) {
      log.debug({ runId, refusal: decision.refusal.code }, 'the result of a job was not taken');
      return;
    }
    const state = applyFacts(workflow, row.state, decision.facts);
    alongside?.(tx);
    saveDecided(tx, {
      orgId,
      runId,
      runName: row.name,
      sessionId: null,
      workflow,
      calendar: row.working_hours,
      state,
      facts: decision.facts,
    });
  });
  pokeOutbox();
}
