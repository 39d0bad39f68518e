import { performersOf } from '../access/performers.ts';
import { personBehind } from '../runs/state.ts';
import { type Step, isPersonStep } from '../steps/index.ts';
import { DAY_MS } from '../sla/duration.ts';
import { findingsOf } from './findings.ts';
import { type Spread, roundedSeconds, spreadFromList, spreadToList } from './spread.ts';
import {
  type Durations,
  MEASURES,
  type Measure,
  type RunTrace,
  type TracedRun,
  keptSla,
  runDurations,
  traceRun,
  visitDurations,
} from './trace.ts';

/**
 * The kinds of cells, and what `subject` is in each: empty for a run, the id of a step, a step and a person, a path, a
 * kind of finding with its step, and a group or role that steps wait for.
 */
export const CELL_KINDS = ['run', 'step', 'person', 'path', 'finding', 'load'] as const;
export type CellKind = (typeof CELL_KINDS)[number];

/** `week` is the Monday of a week in UTC, as `YYYY-MM-DD`: of the run's start or, for `load`, of the event. */
export type CellKey = { kind: CellKind; week: string; version: number; subject: string };

/** Counts by name, and the spread of each measure. All of them can be added. */
export type Cell = { counts: Readonly<Record<string, number>>; spreads: Readonly<Partial<Record<Measure, Spread>>> };
export type KeyedCell = CellKey & Cell;

export const EMPTY_CELL: Cell = { counts: {}, spreads: {} };

/** A cell that others are added to. Copying its spreads for each of them would take most of the time of a rebuild. */
export type OpenCell = { counts: Record<string, number>; spreads: Partial<Record<Measure, Map<number, number>>> };

/** Adds a cell to another one `times` times, in place; -1 subtracts it. */
export function addInto(sum: OpenCell, { counts, spreads }: Cell, times = 1): void {
  for (const [name, count] of Object.entries(counts)) sum.counts[name] = (sum.counts[name] ?? 0) + count * times;
  for (const measure of MEASURES) {
    const added = spreads[measure];
    if (!added) continue;
    const into = (sum.spreads[measure] ??= new Map<number, number>());
    for (const [seconds, count] of added) {
      const total = (into.get(seconds) ?? 0) + count * times;
      if (total === 0) into.delete(seconds);
      else into.set(seconds, total);
    }
  }
}

/** Returns the sum of two cells. */
export function addCells(one: Cell, other: Cell): Cell {
  const sum: OpenCell = { counts: {}, spreads: {} };
  addInto(sum, one);
  addInto(sum, other);
  return sum;
}

/** A sum of cells by key. */
export class CellSum {
  readonly #cells = new Map<string, CellKey & OpenCell>();

  add(cells: readonly KeyedCell[], times = 1): this {
    for (const cell of cells) {
      const { kind, week, version, subject } = cell;
      const id = JSON.stringify([kind, week, version, subject]);
      let sum = this.#cells.get(id);
      if (!sum) this.#cells.set(id, (sum = { kind, week, version, subject, counts: {}, spreads: {} }));
      addInto(sum, cell, times);
    }
    return this;
  }

  /** Returns the cells in which something is counted. */
  get cells(): KeyedCell[] {
    return [...this.#cells.values()].filter(({ counts }) => Object.values(counts).some((count) => count !== 0));
  }
}

/** Returns the spreads of a cell as they are stored. */
export const spreadsToJson = ({ spreads }: Cell): Record<string, number[]> =>
  Object.fromEntries(
    MEASURES.flatMap((measure) => (spreads[measure] ? [[measure, spreadToList(spreads[measure])]] : [])),
  );

export const spreadsFromJson = (json: Partial<Record<Measure, number[]>>): Cell['spreads'] =>
  Object.fromEntries(MEASURES.flatMap((measure) => (json[measure] ? [[measure, spreadFromList(json[measure])]] : [])));

/** Returns the Monday of the week of a time (epoch milliseconds), in UTC. */
export function weekOf(at: number): string {
  const day = Math.floor(at / DAY_MS);
  // 1970 began on a Thursday.
  return new Date((day - ((day + 3) % 7)) * DAY_MS).toISOString().slice(0, 10);
}

/** The path of a run as one text. Step ids can't contain line breaks. */
export const pathSubject = (stepIds: readonly string[]): string => stepIds.join('\n');
export const personSubject = (stepId: string, personId: string): string => `${stepId}\n${personId}`;
export const findingSubject = (finding: string, stepId: string): string => `${finding}\n${stepId}`;

/**
 * Returns everything that a run adds to the figures: that it was started and, once it has ended, its times, steps, path
 * and findings. It is a function of the run's events so far, so a contribution that is out of date can be subtracted.
 */
export function cellsOfRun(trace: RunTrace): KeyedCell[] {
  const run = traceRun(trace);
  if (!run) return [];
  const { version } = trace;
  const week = weekOf(run.startedAt);
  const keyed = (
    kind: CellKind,
    subject: string,
    counts: Cell['counts'],
    spreads: Cell['spreads'] = {},
  ): KeyedCell => ({
    kind,
    week,
    version,
    subject,
    counts,
    spreads,
  });
  const started = keyed('run', '', { started: 1 });
  if (!run.ended) return [started];
  const isCompleted = run.ended.as === 'completed';
  const took = isCompleted ? runDurations(run, trace.calendar) : null;
  const kept = isCompleted ? keptSla(run) : null;
  return [
    started,
    keyed('run', '', { ended: 1, [run.ended.as]: 1, ...slaCounts(kept), ...sums(took) }, spreadsOf(took)),
    ...stepCells(trace, run, keyed),
    ...(isCompleted ? [keyed('path', pathSubject(pathOf(trace.steps, run)), { runs: 1 })] : []),
    ...findingsOf(trace, run).map(({ kind, stepId }) =>
      keyed('finding', findingSubject(kind, stepId), { findings: 1 }),
    ),
  ];
}

/** Returns the ids of the steps that a completed run went through, in the order of the version. */
export function pathOf(steps: readonly Step[], { visits }: TracedRun): string[] {
  const taken = new Set(visits.filter(({ isUndone }) => !isUndone).map(({ stepId }) => stepId));
  return steps.filter(({ id }) => taken.has(id)).map(({ id }) => id);
}

type Keyed = (kind: CellKind, subject: string, counts: Cell['counts'], spreads?: Cell['spreads']) => KeyedCell;

function stepCells(trace: RunTrace, run: TracedRun, keyed: Keyed): KeyedCell[] {
  return trace.steps.flatMap((step) => {
    const visits = run.visits.filter(({ stepId }) => stepId === step.id);
    if (visits.length === 0) return run.bypassed.has(step.id) ? [keyed('step', step.id, { bypassed: 1 })] : [];
    const people = new Set<string>();
    return [
      keyed('step', step.id, {
        runs: 1,
        ...(run.bypassed.has(step.id) && { bypassed: 1 }),
        ...sentBackBy(run, step.id),
      }),
      ...visits.flatMap((visit) => {
        const { ending, isReturned, dueAt, to, doneBy } = visit;
        const took = visitDurations(run, visit, trace.calendar);
        const kept = dueAt === null || to === null || ending === 'reset' ? null : to <= dueAt;
        const counts = { visits: 1, ...(ending && { [ending]: 1 }), ...(isReturned && { returned: 1 }) };
        const cells = [keyed('step', step.id, { ...counts, ...slaCounts(kept), ...sums(took) }, spreadsOf(took))];
        if (took && doneBy && isPersonStep(step)) {
          const person = personBehind(doneBy);
          const isNew = !people.has(person);
          people.add(person);
          cells.push(
            keyed('person', personSubject(step.id, person), { visits: 1, ...(isNew && { runs: 1 }) }, spreadsOf(took)),
          );
        }
        return cells;
      }),
    ];
  });
}

function sentBackBy({ sentBack }: TracedRun, stepId: string): Record<string, number> {
  const times = sentBack.get(stepId) ?? 0;
  return times > 0 ? { sentBack: times } : {};
}

/** `timed` counts what had an SLA, `kept` what was in time. */
const slaCounts = (kept: boolean | null): Record<string, number> =>
  kept === null ? {} : kept ? { timed: 1, kept: 1 } : { timed: 1 };

const sums = (took: Durations | null): Record<string, number> =>
  took ? { calendarMs: took.calendar, waitingMs: took.waiting } : {};

const spreadsOf = (took: Durations | null): Cell['spreads'] =>
  took ? Object.fromEntries(MEASURES.map((measure) => [measure, new Map([[roundedSeconds(took[measure]), 1]])])) : {};

/**
 * Returns the names under which the load of a step is counted: `group:finance`, `role:editor`, `starter`, `people` for
 * people named by address, or `anyone`. Empty for a step of the server. People are never counted one by one.
 */
export function loadNames(step: Step): string[] {
  if (!isPersonStep(step)) return [];
  const { emails, roles, groups, starter } = performersOf(step, null);
  const names = [
    ...groups.map((slug) => `group:${slug}`),
    ...roles.map((role) => `role:${role}`),
    ...(starter === null ? [] : ['starter']),
    ...(emails.length > 0 ? ['people'] : []),
  ];
  return names.length > 0 ? names : ['anyone'];
}
