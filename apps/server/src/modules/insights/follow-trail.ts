import {
  type KeyedCell,
  type RunTrace,
  type TracedNote,
  type TracedRun,
  type DeviationFinding,
  CellSum,
  EMPTY_CELL,
  REVIEW_ENDS,
  blockCells,
  cellsOfRun,
  figuresOfRun,
  findingsOf,
  loadNames,
  sumCells,
  traceRun,
  weekOf,
} from '@stet/domain/insights';
import type { RunActor, RunFact } from '@stet/domain/runs';
import type { WorkCalendar } from '@stet/domain/sla';
import type { Step } from '@stet/domain/steps';
import type { Tx } from '../../kernel/database.ts';
import type { Deps } from '../../kernel/deps.ts';
import {
  type StoredCell,
  advanceCursor,
  deleteFindings,
  deleteRunsBehind,
  forgetCells,
  forgetFindings,
  forgetRunsBehind,
  listCellsByKey,
  listChangesOfHours,
  listEventsOfRuns,
  listOrganizationsToCount,
  listRunsToCount,
  listStepsOfVersions,
  listUncounted,
  lockCursor,
  saveCells,
  saveFindings,
  saveRunsBehind,
} from './cells.sql.ts';
import { countReviews } from './count-reviews.ts';
import { pathId } from './path-id.ts';
import { forgetFinishedReviews } from './reviews.sql.ts';

/** The maximum number of events that are counted in one transaction. */
const CHUNK = 5000;
const ENDS: readonly string[] = ['run.completed', 'run.failed', 'run.cancelled'];

/**
 * Counts committed audit events for insights, each once and in order. Because this job reads the trail, use cases need
 * no code for figures, and a rebuild leads to the same figures.
 */
export async function followTrails({ db }: Pick<Deps, 'db'>): Promise<void> {
  for (const { org_id: orgId } of await db.query(listOrganizationsToCount, {}))
    while ((await countPiece(db, orgId, CHUNK)) === CHUNK);
}

/** Counts the figures of an organization again, from its first event. Returns the number of events. */
export async function recount({ db }: Pick<Deps, 'db'>, orgId: string, chunk: number): Promise<number> {
  await db.transaction({ orgId, userId: null }, async (tx) => {
    await tx.maybeOne(lockCursor, { orgId });
    tx.write(forgetCells, { orgId });
    tx.write(forgetFindings, { orgId });
    tx.write(forgetRunsBehind, { orgId });
    tx.write(forgetFinishedReviews, { orgId });
    tx.write(advanceCursor, { orgId, seq: 0, at: new Date(0) });
  });
  let events = 0;
  for (let counted = chunk; counted === chunk; events += counted) counted = await countPiece(db, orgId, chunk);
  return events;
}

/** An event of a run that figures depend on. */
type Traced = { seq: number; action: string; payload: Payload | null };
type Payload = { actor: RunActor; data: Record<string, unknown> };
/** A run with the steps of its version, and the names under which the load of each step is counted (`loadNames`). */
type CountedRun = { key: string; version: number } & CountedVersion;
type CountedVersion = { steps: Step[]; loadNames: ReadonlyMap<string, readonly string[]> };
type Uncounted = {
  action: string;
  run_id: string | null;
  subject_id: string;
  fact_at: number | null;
  step_id: string | null;
  onward: string | null;
};

/**
 * Counts the next events. A run changes figures when it starts, ends or is retried: its contribution up to the last
 * counted event is subtracted, and its contribution up to the newest event is added. Load is counted when steps become
 * active and are done, and reviews of drafts when they end. Returns the number of counted events.
 */
async function countPiece(db: Deps['db'], orgId: string, chunk: number): Promise<number> {
  return db.transaction({ orgId, userId: null }, async (tx) => {
    const cursor = await tx.maybeOne(lockCursor, { orgId });
    if (!cursor) return 0;
    const events = await tx.many(listUncounted, { orgId, after: cursor.seq, limit: chunk });
    const last = events.at(-1);
    if (!last) return 0;
    const touched = runIdsOf(events, ({ action }) => ENDS.includes(action) || action === 'step.retried');
    const runs = await readRuns(
      tx,
      orgId,
      runIdsOf(events, () => true),
    );
    const [traces, calendarAt] = await Promise.all([
      readTraces(tx, orgId, touched, last.seq),
      touched.length > 0 ? readCalendars(tx, orgId) : () => null,
    ]);
    const sums = new Map<string, CellSum>();
    const sumOf = (key: string): CellSum => {
      const known = sums.get(key) ?? new CellSum();
      sums.set(key, known);
      return known;
    };
    for (const event of events) {
      const run = runs.get(event.run_id ?? '');
      if (!run || event.fact_at === null) continue;
      sumOf(run.key).add(loadOf(event, event.fact_at, run));
      // If a run also ends in this batch of events, it is counted at its end.
      if (event.action === 'run.started' && !traces.has(event.run_id ?? ''))
        sumOf(run.key).add([startedCell(event.fact_at, run.version)]);
    }
    const [findings, behind, noLongerBehind]: [object[], object[], object[]] = [[], [], []];
    for (const [runId, trail] of traces) {
      const run = runs.get(runId);
      if (!run) continue;
      const before = traceUpTo(trail, run, cursor.seq, calendarAt);
      const now = traceUpTo(trail, run, last.seq, calendarAt);
      if (before && !before.isEnded) sumOf(run.key).add([startedCell(before.startedAt, run.version)], -1);
      else if (before) {
        const traced = traceRun(before);
        sumOf(run.key).add(cellsOfRun(before, traced), -1);
        noLongerBehind.push(...rowsBehind(runId, run, traced));
      }
      if (!now) continue;
      const traced = traceRun(now);
      const found = findingsOf(now, traced);
      sumOf(run.key).add(cellsOfRun(now, traced, found));
      findings.push(...rowsOf(runId, run, now, found));
      behind.push(...rowsBehind(runId, run, traced));
    }
    await addToCells(tx, orgId, sums);
    if (touched.length > 0) tx.write(deleteFindings, { orgId, runIds: touched });
    if (findings.length > 0) tx.write(saveFindings, { orgId, findings: JSON.stringify(findings) });
    if (noLongerBehind.length > 0) tx.write(deleteRunsBehind, { orgId, rows: JSON.stringify(noLongerBehind) });
    if (behind.length > 0) tx.write(saveRunsBehind, { orgId, rows: JSON.stringify(behind) });
    const drafts = new Set(events.flatMap(({ action, subject_id: id }) => (isReviewEnd(action) ? [id] : [])));
    if (drafts.size > 0) await countReviews(tx, orgId, [...drafts], last.seq);
    tx.write(advanceCursor, { orgId, seq: last.seq, at: last.at });
    return last.seq - cursor.seq;
  });
}

const isReviewEnd = (action: string): boolean => REVIEW_ENDS.some((end) => end === action);

const runIdsOf = (events: readonly Uncounted[], isMeant: (event: Uncounted) => boolean): string[] => [
  ...new Set(events.flatMap((event) => (event.run_id !== null && isMeant(event) ? [event.run_id] : []))),
];

/** Must equal the result of `cellsOfRun` for a run that has only been started. */
const startedCell = (at: number, version: number): KeyedCell => ({
  kind: 'run',
  week: weekOf(at),
  version,
  subject: '',
  counts: { started: 1 },
  spreads: {},
});

function loadOf(
  { action, step_id: stepId, onward }: Uncounted,
  at: number,
  { version, loadNames: names }: CountedRun,
): KeyedCell[] {
  const isArrival = action === 'step.activated';
  const isDone = action === 'step.completed' || (action === 'step.skipped' && onward === 'true');
  const subjects = (isArrival || isDone ? names.get(stepId ?? '') : null) ?? [];
  if (subjects.length === 0) return [];
  const week = weekOf(at);
  return subjects.map((subject) => ({
    kind: 'load',
    week,
    version,
    subject,
    counts: isArrival ? { arrived: 1 } : { done: 1 },
    spreads: {},
  }));
}

const NO_STEPS: CountedVersion = { steps: [], loadNames: new Map() };

async function readRuns(tx: Tx, orgId: string, runIds: readonly string[]): Promise<Map<string, CountedRun>> {
  if (runIds.length === 0) return new Map();
  const rows = await tx.many(listRunsToCount, { orgId, runIds });
  const versionIds = [...new Set(rows.map(({ version_id: id }) => id))];
  const versions = new Map(
    (await tx.many(listStepsOfVersions, { orgId, versionIds })).map(({ id, steps }): [string, CountedVersion] => [
      id,
      { steps, loadNames: new Map(steps.map((step) => [step.id, loadNames(step)])) },
    ]),
  );
  return new Map(
    rows.map(({ id, workflow_key: key, version, version_id }) => [
      id,
      { key, version, ...(versions.get(version_id) ?? NO_STEPS) },
    ]),
  );
}

async function readTraces(
  tx: Tx,
  orgId: string,
  runIds: readonly string[],
  upTo: number,
): Promise<Map<string, Traced[]>> {
  const traces = new Map<string, Traced[]>();
  if (runIds.length === 0) return traces;
  for (const { run_id: runId, seq, action, payload } of await tx.many(listEventsOfRuns, { orgId, runIds, upTo })) {
    let trail = traces.get(runId);
    if (!trail) traces.set(runId, (trail = []));
    trail.push({ seq, action, payload: payload === null ? null : (JSON.parse(payload) as Payload) });
  }
  return traces;
}

/** Returns a function that finds the working hours in force at an event. */
async function readCalendars(tx: Tx, orgId: string): Promise<(seq: number) => WorkCalendar | null> {
  const changes = await tx.many(listChangesOfHours, { orgId });
  return (seq) => changes.findLast((change) => change.seq < seq)?.hours ?? null;
}

type CountedTrace = RunTrace & { startedAt: number; isEnded: boolean };

/**
 * Returns the part of a run that is counted up to an event: everything if it had ended by then, otherwise only its
 * start. Null before its start, and if one of these events was erased.
 */
function traceUpTo(
  trail: readonly Traced[],
  { version, steps }: CountedRun,
  upTo: number,
  calendarAt: (seq: number) => WorkCalendar | null,
): CountedTrace | null {
  const known = trail.filter(({ seq }) => seq <= upTo);
  const turn = known.findLastIndex(({ action }) => ENDS.includes(action) || action === 'step.retried');
  const isEnded = turn !== -1 && ENDS.includes(known[turn]?.action ?? '');
  const counted = isEnded ? known.slice(0, turn + 1) : known.slice(0, 1);
  const facts: RunFact[] = [];
  const notes: TracedNote[] = [];
  for (const { action, payload } of counted) {
    if (!payload) return null;
    const { actor, data } = payload;
    if (action === 'note.added') notes.push(data as TracedNote);
    // The trail stores facts unchanged, except that the actor is stored separately.
    else if ('type' in data) facts.push({ ...data, by: actor } as RunFact);
  }
  const [start] = facts;
  if (start?.type !== 'run_started') return null;
  const calendar = isEnded ? calendarAt(known[turn]?.seq ?? 0) : null;
  return { version, steps, facts, notes, calendar, startedAt: start.at, isEnded };
}

function rowsOf(runId: string, { key, version }: CountedRun, trace: RunTrace, findings: readonly DeviationFinding[]) {
  const startedAt = trace.facts[0]?.at ?? 0;
  return findings.map(({ kind, stepId, activation, at }) => ({
    run_id: runId,
    step_id: stepId,
    kind,
    activation,
    workflow_key: key,
    version,
    week: weekOf(startedAt),
    started_at: new Date(startedAt),
    at: new Date(at),
  }));
}

/** The figures to which an ended run contributes, so that the list of runs can find the run. */
function rowsBehind(runId: string, { key, version, steps }: CountedRun, run: TracedRun | null) {
  const { outcomes, path } = figuresOfRun({ steps }, run);
  return [...outcomes, ...(path === null ? [] : [`path:${pathId(path)}`])].map((figure) => ({
    workflow_key: key,
    figure,
    version,
    started_at: new Date(run?.startedAt ?? 0),
    run_id: runId,
  }));
}

/** Adds sums to the stored cells. The cursor is locked, so no other process changes them. */
async function addToCells(tx: Tx, orgId: string, sums: ReadonlyMap<string, CellSum>): Promise<void> {
  const added = [...sums].flatMap(([key, { cells }]) => [
    ...cells.map((cell) => ({ key, isBlock: false, cell })),
    ...blockCells(cells).map((cell) => ({ key, isBlock: true, cell })),
  ]);
  if (added.length === 0) return;
  const keys = added.map(({ key, isBlock, cell: { kind, week, version, subject } }) => ({
    kind,
    workflow_key: key,
    is_block: isBlock,
    week,
    version,
    subject,
  }));
  const stored = new Map(
    (await tx.many(listCellsByKey, { orgId, keys: JSON.stringify(keys) })).map((cell) => [idOf(cell), cell]),
  );
  const cells = added.map(({ cell }, at) => {
    const key = keys[at] as (typeof keys)[number];
    return { ...key, ...sumCells([stored.get(idOf(key)) ?? EMPTY_CELL, cell]) };
  });
  tx.write(saveCells, { orgId, cells: JSON.stringify(cells) });
}

const idOf = ({
  kind,
  workflow_key,
  is_block,
  week,
  version,
  subject,
}: Omit<StoredCell, 'counts' | 'spreads'>): string =>
  JSON.stringify([kind, workflow_key, is_block, week, version, subject]);
