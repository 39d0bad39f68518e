import {
  type RunFact,
  type RunState,
  type RunWorkflow,
  SYSTEM_ACTOR,
  applyFacts,
  decide,
  nextCrossingAt,
  slaMomentsOf,
  slaStateAt,
} from '@stet/domain/runs';
import { MINUTE_MS } from '@stet/domain/sla';
import type { Deps } from '../../kernel/deps.ts';
import { findEscalationOfRun } from '../escalation/reads.ts';
import { saveDecided } from './record-facts.ts';
import { findDueCrossings, lockRunIfFree, readClock, setNextCrossing } from './runs.sql.ts';
import { tellOfCrossings } from './tell-of-crossings.ts';

type Needs = Pick<Deps, 'db' | 'log' | 'pokeOutbox'>;

const AT_ONCE = 100;

/**
 * Writes and tells which clocks have turned at risk or been breached since the last look (rulings, section 7), in all
 * organizations. Any number of nodes may look at the same time: who comes second to a run finds it told, or held, and
 * leaves it. Answers how many runs it has told of.
 */
export async function watchClocks({ db, log, pokeOutbox }: Needs): Promise<number> {
  let told = 0;
  for (;;) {
    const due = await db.query(findDueCrossings, { most: AT_ONCE });
    let done = 0;
    for (const { org_id: orgId, run_id: runId } of due) {
      try {
        if (await watchRun(db, orgId, runId)) done += 1;
      } catch (error) {
        // The others' clocks go on.
        log.error({ err: error, runId }, 'the clocks of a run could not be looked at');
      }
    }
    told += done;
    if (done > 0) pokeOutbox();
    if (due.length < AT_ONCE || done === 0) return told;
  }
}

/** False where someone else holds the run, or has been there before. */
async function watchRun(db: Deps['db'], orgId: string, runId: string): Promise<boolean> {
  return db.transaction({ orgId, userId: null }, async (tx) => {
    const [row, clock, escalation] = await Promise.all([
      tx.maybeOne(lockRunIfFree, { orgId, runId }),
      tx.maybeOne(readClock, {}),
      tx.maybeOne(findEscalationOfRun, { orgId, runId }),
    ]);
    if (!row || !clock) return false;
    const workflow: RunWorkflow = { steps: row.steps };
    const again = escalation?.again_after_minutes ?? null;
    const decision = decide(
      workflow,
      row.state,
      { type: 'watch_clocks', againAfterMs: again === null ? null : again * MINUTE_MS },
      { at: clock.now, actor: SYSTEM_ACTOR, calendar: row.working_hours },
    );
    const facts: RunFact[] = decision.ok ? decision.facts : [];
    if (facts.length === 0) {
      tx.write(setNextCrossing, { orgId, runId, ...columns(row.state) });
      return false;
    }
    const state = applyFacts(workflow, row.state, facts);
    tellOfCrossings(tx, { orgId, runId, runName: row.name, steps: row.steps, facts, tell: escalation?.tell ?? [] });
    saveDecided(tx, {
      orgId,
      runId,
      runName: row.name,
      sessionId: null,
      workflow,
      calendar: row.working_hours,
      state,
      facts,
    });
    return true;
  });
}

function columns(state: RunState) {
  const next = nextCrossingAt(state);
  return {
    nextCrossingAt: next === null ? null : new Date(next),
    slaState: slaStateAt(slaMomentsOf(state), state.updatedAt) ?? 'none',
  };
}
