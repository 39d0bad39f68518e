import { type RunState, nextCrossingAt, slaMomentsOf, slaStateAt } from '@stet/domain/runs';
import { MINUTE_MS } from '@stet/domain/sla';
import type { Deps } from '../../kernel/deps.ts';
import { findEscalationOfRun } from '../escalation/index.ts';
import { givenBySystem, readNow, runCommand } from './run-command.ts';
import { findDueCrossings, lockRunIfFree, setNextCrossing } from './runs.sql.ts';

type Needs = Pick<Deps, 'db' | 'log' | 'pokeOutbox'>;

const AT_ONCE = 100;

/**
 * Records which SLAs have become at risk or breached since the last check, which reminders are due, and which pauses
 * have become too long (decision 41), in all organizations that aren't ending. It can run on any number of nodes. If
 * two nodes check the same run, the second one skips it, because the run is locked or the crossing is already recorded.
 * Returns the number of runs for which it recorded something.
 */
export async function watchClocks({ db, log, pokeOutbox }: Needs): Promise<number> {
  let recorded = 0;
  for (;;) {
    const due = await db.query(findDueCrossings, { most: AT_ONCE });
    let done = 0;
    for (const { org_id: orgId, run_id: runId } of due) {
      try {
        if (await watchRun(db, orgId, runId)) done += 1;
      } catch (error) {
        // A failure in one run doesn't affect the others.
        log.error({ err: error, runId }, 'could not check the clocks of a run');
      }
    }
    recorded += done;
    if (done > 0) pokeOutbox();
    if (due.length < AT_ONCE || done === 0) return recorded;
  }
}

/**
 * Records what is due in a run. Returns false if there is nothing to record, or if another transaction has locked the
 * run.
 */
async function watchRun(db: Deps['db'], orgId: string, runId: string): Promise<boolean> {
  return db.transaction({ orgId, userId: null }, async (tx) => {
    const watched = await runCommand(tx, {
      orgId,
      runId,
      sessionId: null,
      lock: () => tx.maybeOne(lockRunIfFree, { orgId, runId }),
      ofAnyVersion: true,
      read: async () => {
        const [clock, escalation] = await Promise.all([
          readNow(tx),
          tx.maybeOne(findEscalationOfRun, { orgId, runId }),
        ]);
        return { ...clock, escalation };
      },
      give: ({ read: { escalation } }) => {
        const again = escalation?.again_after_minutes ?? null;
        return givenBySystem({ type: 'watch_clocks', againAfterMs: again === null ? null : again * MINUTE_MS });
      },
      about: ({ read: { escalation } }) => ({ alsoAtBreach: escalation?.tell ?? [] }),
    });
    if (!watched.ok) return false;
    if (watched.facts.length === 0) tx.write(setNextCrossing, { orgId, runId, ...columns(watched.state) });
    return watched.facts.length > 0;
  });
}

function columns(state: RunState) {
  const next = nextCrossingAt(state);
  return {
    nextCrossingAt: next === null ? null : new Date(next),
    slaState: slaStateAt(slaMomentsOf(state), state.updatedAt) ?? 'none',
  };
}
