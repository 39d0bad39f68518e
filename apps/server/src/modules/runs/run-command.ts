import { type DecidedBy, type RunCommand, type RunFact, type RunState, SYSTEM_ACTOR, decide } from '@stet/domain/runs';
import type { Tx } from '../../kernel/database.ts';
import type { Refusal } from '../../kernel/refused.ts';
import { type Recorded, columnsOf, recordFacts } from './record-facts.ts';
import { type RunRow, readClock, saveRun } from './runs.sql.ts';
import { type PinnedVersion, isUnaltered } from './unaltered-version.ts';

/** A run, or one that is about to start and has no state yet. */
type Subject = PinnedVersion & Pick<RunRow, 'name' | 'working_hours'> & { state: RunState | null };

/** A run under its lock; `now` is the database's clock in epoch milliseconds. */
type LockedRun<Row, Read> = { row: Row; now: number; read: Read };
type ChangedRun<Row, Read> = LockedRun<Row, Read> & { facts: readonly RunFact[]; state: RunState };

type Given = { command: RunCommand; by: Omit<DecidedBy, 'at' | 'calendar'> };

type Change<Row, Read> = {
  orgId: string;
  runId: string;
  sessionId: string | null;
  /** Reads the run and locks it; for a start, its version, which then can't be archived. */
  lock: () => Promise<Row | undefined>;
  /** True for a command that has to be recorded even if the run's version was altered. */
  ofAnyVersion?: boolean;
  /** Other data that the decision or its response depends on; sent with the lock. */
  read: () => Promise<Read>;
  /** Builds the command and its actor from the locked run. */
  give: (run: LockedRun<Row, Read>) => Given | Promise<Given>;
  /** Data for notifications that the facts don't contain. */
  about?: (run: LockedRun<Row, Read>) => Recorded['about'];
  /** Inserts the run that starts. */
  insert?: (run: LockedRun<Row, Read>, state: RunState) => void;
};

/**
 * Executes a command on a run, including its start: locks the run, lets the domain decide, saves the result. Concurrent
 * calls wait for each other; the second one sees the state that the first one saved. Refuses with `not_found`,
 * `version_altered` or the domain's refusal. After a refusal, or if the command produces no facts, nothing is saved.
 */
export async function runCommand<Row extends Subject, Read>(
  tx: Tx,
  { orgId, runId, sessionId, lock, ofAnyVersion = false, read, give, about, insert }: Change<Row, Read>,
): Promise<({ ok: true } & ChangedRun<Row, Read>) | { ok: false; refusal: Refusal }> {
  const [row, clock, found] = await Promise.all([lock(), tx.maybeOne(readClock, {}), read()]);
  if (!row || !clock) return { ok: false, refusal: { code: 'not_found', what: 'run' } };
  const { now } = clock;
  const locked = { row, now, read: found };
  if (!ofAnyVersion && !isUnaltered(row))
    return { ok: false, refusal: { code: 'version_altered', version: row.version } };
  const { command, by } = await give(locked);
  const workflow = { steps: row.steps };
  const calendar = row.working_hours;
  const decision = decide(workflow, row.state, command, { ...by, at: now, calendar });
  if (!decision.ok) return decision;
  const { facts, state } = decision;
  if (facts.length > 0) {
    if (insert) insert(locked, state);
    else tx.write(saveRun, { orgId, id: runId, ...columnsOf(workflow, state) });
    const recorded = { orgId, runId, runName: row.name, sessionId, workflow, calendar, state, facts };
    recordFacts(tx, { ...recorded, about: about?.(locked) });
  }
  return { ok: true, ...locked, facts, state };
}

/** A command of the server itself. */
export const givenBySystem = (command: RunCommand): Given => ({ command, by: { actor: SYSTEM_ACTOR } });
