import { type DecidedBy, type RunCommand, type RunFact, type RunState, SYSTEM_ACTOR, decide } from '@stet/domain/runs';
import type { Tx } from '../../kernel/database.ts';
import type { Refusal } from '../../kernel/refused.ts';
import { type Recorded, columnsOf, recordFacts } from './record-facts.ts';
import { type RunRow, readClock, savePriority, saveRuns } from './runs.sql.ts';
import { type PinnedVersion, isUnaltered } from './unaltered-version.ts';

/** A run, or the version to start a run from. Only a run has a state. */
type Subject = PinnedVersion & Pick<RunRow, 'name' | 'working_hours' | 'is_small'> & { state: RunState | null };

/** A locked run. `now` is the database's time in epoch milliseconds. */
type LockedRun<Row, Read> = { row: Row; now: number; read: Read };
type ChangedRun<Row, Read> = LockedRun<Row, Read> & { facts: readonly RunFact[]; state: RunState };

type Given = { command: RunCommand; by: Omit<DecidedBy, 'at' | 'calendar'> };

type Change<Row, Read> = {
  orgId: string;
  runId: string;
  sessionId: string | null;
  /**
   * Reads and locks the run. To start a run, reads the version and locks its workflow, which then can't be archived.
   */
  lock: () => Promise<Row | undefined>;
  /** True if the command is accepted even if the run's version was altered. */
  ofAnyVersion?: boolean;
  /**
   * Reads the database's time, and other data that the decision or its response depends on. Its queries are sent
   * together with the lock.
   */
  read: () => Promise<Read>;
  /** Creates the command and its actor from the locked run. */
  give: (run: LockedRun<Row, Read>) => Given | Promise<Given>;
  /** Data for notifications that the facts don't contain. */
  about?: (run: LockedRun<Row, Read>) => Recorded['about'];
  /** Inserts the run that is being started. */
  insert?: (run: LockedRun<Row, Read>, state: RunState) => void;
};

/**
 * Executes a command on a run, or starts a run: locks it, lets the domain decide, and saves the result. Concurrent
 * calls wait for each other, and each one sees the state that the previous one saved. (With `lockRunIfFree`, a call
 * doesn't wait: a locked run is `not_found`.) Refuses with `not_found`, `version_altered` or the refusal of the domain.
 * If the command is refused or produces no facts, nothing is saved.
 */
export async function runCommand<Row extends Subject, Read extends { now: number }>(
  tx: Tx,
  { orgId, runId, sessionId, lock, ofAnyVersion = false, read, give, about, insert }: Change<Row, Read>,
): Promise<({ ok: true } & ChangedRun<Row, Read>) | { ok: false; refusal: Refusal }> {
  const [row, found] = await Promise.all([lock(), read()]);
  if (!row) return { ok: false, refusal: { code: 'not_found', what: 'run' } };
  const { now } = found;
  const locked = { row, now, read: found };
  if (!ofAnyVersion && !isUnaltered(row))
    return { ok: false, refusal: { code: 'version_altered', version: row.version } };
  const { command, by } = await give(locked);
  const workflow = { steps: row.steps };
  const calendar = row.working_hours;
  const decision = decide(workflow, row.state, command, { at: now, calendar, ...by });
  if (!decision.ok) return decision;
  const { facts, state } = decision;
  if (facts.length > 0) {
    if (insert) insert(locked, state);
    else tx.write(saveRuns, { orgId, runs: [{ id: runId, ...columnsOf(workflow, state) }] });
    // The priority isn't part of the state, because no rule in the domain depends on it.
    for (const fact of facts)
      if (fact.type === 'run_priority_changed') tx.write(savePriority, { orgId, id: runId, priority: fact.to });
    const recorded = {
      orgId,
      runId,
      runName: row.name,
      sessionId,
      workflow,
      calendar,
      state,
      facts,
      isSmall: row.is_small,
    };
    recordFacts(tx, { about: about?.(locked), ...recorded });
  }
  return { ok: true, ...locked, facts, state };
}

/** The database's time, for a command that depends on nothing else. */
export async function readNow(tx: Tx): Promise<{ now: number }> {
  const clock = await tx.maybeOne(readClock, {});
  if (!clock) throw new Error('the database has no time');
  return clock;
}

/** A command given by the server itself. */
export const givenBySystem = (command: RunCommand): Given => ({ command, by: { actor: SYSTEM_ACTOR } });
