import { performersOf } from '../access/performers.ts';
import { personBehind } from '../runs/state.ts';
import { type Step, isPersonStep } from '../steps/index.ts';
import { DAY_MS } from '../sla/duration.ts';
import { type DeviationFinding, findingsOf } from './findings.ts';
import { type Spread, type SpreadPart, roundedSeconds, sumSpreads } from './spread.ts';
import {
  type Durations,
  MEASURES,
  type Measure,
  type RunTrace,
  type TracedRun,
  type Visit,
  keptSla,
  runDurations,
  traceRun,
  visitDurations,
} from './trace.ts';

/**
 * The kinds of cells, each with its `subject`:
 * - `run`: empty
 * - `step`: the id of a step
 * - `person`: a step and a person
 * - `path`: a path
 * - `finding`: a kind of finding and its step
 * - `load`: a group or role that steps wait for
 */
const CELL_KINDS = ['run', 'step', 'person', 'path', 'finding', 'load'] as const;
export type CellKind = (typeof CELL_KINDS)[number];

/** `week` is the Monday of a week in UTC, as `YYYY-MM-DD`: of the run's start or, for `load`, of the event. */
export type CellKey = { kind: CellKind; week: string; version: number; subject: string };

const BLOCK_WEEKS = 8;
const BLOCK_MS = BLOCK_WEEKS * 7 * DAY_MS;
/** The Monday on which the first block begins. */
const FIRST_BLOCK = Date.UTC(1970, 0, 5);

/** Kinds that aren't shown by week. They are also summed by block, so that a long period needs few of their cells. */
export const BLOCK_KINDS: readonly CellKind[] = ['step', 'person', 'path', 'finding'];

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const blockOf = (week: string): string =>
  dayOf(FIRST_BLOCK + Math.floor((Date.parse(week) - FIRST_BLOCK) / BLOCK_MS) * BLOCK_MS);

/**
 * Returns the whole blocks of a period of weeks: the Monday of the first block, and the Monday after the last one. Both
 * are the first week if the period contains no whole block.
 */
export function blocksBetween(first: string, last: string): { from: string; before: string } {
  const from = FIRST_BLOCK + Math.ceil((Date.parse(first) - FIRST_BLOCK) / BLOCK_MS) * BLOCK_MS;
  const before = Date.parse(blockOf(dayOf(Date.parse(last) + 7 * DAY_MS)));
  return before > from ? { from: dayOf(from), before: dayOf(before) } : { from: first, before: first };
}

/** Returns the sums by block of the cells that have them; `week` is the Monday of the block. */
export const blockCells = (cells: readonly KeyedCell[]): KeyedCell[] =>
  new CellSum().add(
    cells.filter(({ kind }) => BLOCK_KINDS.includes(kind)).map((cell) => ({ ...cell, week: blockOf(cell.week) })),
  ).cells;

/** Counts by name, and the spread of each measure. Both can be added to those of another cell. */
export type Cell = { counts: Readonly<Record<string, number>>; spreads: Readonly<Partial<Record<Measure, Spread>>> };
export type KeyedCell = CellKey & Cell;

export const EMPTY_CELL: Cell = { counts: {}, spreads: {} };

/**
 * A sum of cells. Their spreads are collected and added once, because adding them one by one would take most of a
 * rebuild's time.
 */
class CellTotal {
  readonly #counts: Record<string, number> = {};
  readonly #parts: Partial<Record<Measure, SpreadPart[]>> = {};

  add({ counts, spreads }: Cell, times = 1): this {
    for (const name of Object.keys(counts))
      this.#counts[name] = (this.#counts[name] ?? 0) + (counts[name] ?? 0) * times;
    for (const measure of MEASURES) {
      const spread = spreads[measure];
      if (spread) (this.#parts[measure] ??= []).push({ spread, times });
    }
    return this;
  }

  get cell(): Cell {
    const spreads = MEASURES.flatMap((measure) => {
      const parts = this.#parts[measure];
      return parts ? [[measure, sumSpreads(parts)]] : [];
    });
    return { counts: this.#counts, spreads: Object.fromEntries(spreads) as Cell['spreads'] };
  }
}

/** Returns the sum of cells. */
export const sumCells = (cells: Iterable<Cell>): Cell => {
  const total = new CellTotal();
  for (const cell of cells) total.add(cell);
  return total.cell;
};

/** Returns the sum of each group of cells. */
export function sumsBy<C extends Cell, K>(cells: readonly C[], keyOf: (cell: C) => K): Map<K, Cell> {
  const totals = new Map<K, CellTotal>();
  for (const cell of cells) {
    const key = keyOf(cell);
    const total = totals.get(key) ?? new CellTotal();
    totals.set(key, total.add(cell));
  }
  return new Map([...totals].map(([key, { cell }]) => [key, cell]));
}

/** A sum of cells by key. */
export class CellSum {
  readonly #totals = new Map<string, { key: CellKey; total: CellTotal }>();

  add(cells: readonly KeyedCell[], times = 1): this {
    for (const cell of cells) {
      const { kind, week, version, subject } = cell;
      // Only the subject can contain spaces.
      const id = `${kind} ${week} ${version} ${subject}`;
      let sum = this.#totals.get(id);
      if (!sum) this.#totals.set(id, (sum = { key: { kind, week, version, subject }, total: new CellTotal() }));
      sum.total.add(cell, times);
    }
    return this;
  }

  /** Returns the cells in which something is counted. */
  get cells(): KeyedCell[] {
    return [...this.#totals.values()]
      .map(({ key, total }) => ({ ...key, ...total.cell }))
      .filter(
        ({ counts, spreads }) =>
          Object.values(counts).some((count) => count !== 0) ||
          Object.values(spreads).some((spread) => spread.length > 0),
      );
  }
}

/** Returns the Monday of the week of a time (epoch milliseconds), in UTC. */
export function weekOf(at: number): string {
  const day = Math.floor(at / DAY_MS);
  // 1970 began on a Thursday.
  return dayOf((day - ((day + 3) % 7)) * DAY_MS);
}

/** The path of a run as one text. Step ids can't contain line breaks. */
export const pathSubject = (stepIds: readonly string[]): string => stepIds.join('\n');
const personSubject = (stepId: string, personId: string): string => `${stepId}\n${personId}`;
const findingSubject = (finding: string, stepId: string): string => `${finding}\n${stepId}`;

/**
 * The outcomes that a step can have in a run. The runs in which an outcome occurred at least once are counted and can
 * be listed.
 */
export const STEP_OUTCOMES = ['completed', 'skipped', 'failed', 'returned', 'sentBack', 'handedOver', 'late'] as const;
export type StepOutcome = (typeof STEP_OUTCOMES)[number];
/** Returns the name under which a step's cell stores the number of runs with an outcome. */
export const runsWith = (outcome: StepOutcome): string => `${outcome}Runs`;

/**
 * Returns the figures in which an ended run is counted: each outcome of each step, such as `late:check`, and, for a
 * completed run, the subject of its path. Without figures if the run hasn't ended.
 */
export function figuresOfRun(
  { steps }: Pick<RunTrace, 'steps'>,
  run: TracedRun | null,
): { outcomes: string[]; path: string | null } {
  if (!run?.ended) return { outcomes: [], path: null };
  return {
    outcomes: steps.flatMap(({ id }) => outcomesOf(run, id).map((outcome) => `${outcome}:${id}`)),
    path: run.ended.as === 'completed' ? pathSubject(pathOf(steps, run)) : null,
  };
}

function outcomesOf(run: TracedRun, stepId: string): StepOutcome[] {
  const visits = run.visits.filter((visit) => visit.stepId === stepId);
  const has = (ending: Visit['ending']): boolean => visits.some((visit) => visit.ending === ending);
  const isOutcome: Record<StepOutcome, boolean> = {
    completed: has('completed'),
    skipped: has('skipped'),
    failed: has('failed'),
    returned: visits.some(({ isReturned }) => isReturned),
    sentBack: run.sentBack.has(stepId),
    handedOver: run.handedOver.has(stepId),
    late: visits.some((visit) => keptDueTime(visit) === false),
  };
  return STEP_OUTCOMES.filter((outcome) => isOutcome[outcome]);
}

/** Returns whether a visit ended in time; null without an SLA, or if the step was reset or hadn't ended. */
const keptDueTime = ({ dueAt, to, ending }: Visit): boolean | null =>
  dueAt === null || to === null || ending === 'reset' ? null : to <= dueAt;

/**
 * Returns everything that a run adds to the figures: that it was started and, once it has ended, its times, steps, path
 * and findings. The contribution depends only on the run's events so far, so an outdated one can be computed again and
 * subtracted. `run` and `findings` can be given to avoid computing them again.
 */
export function cellsOfRun(
  trace: RunTrace,
  run: TracedRun | null = traceRun(trace),
  findings: readonly DeviationFinding[] = findingsOf(trace, run),
): KeyedCell[] {
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
    ...findings.map(({ kind, stepId }) => keyed('finding', findingSubject(kind, stepId), { findings: 1 })),
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
        ...unlessZero('sentBack', run.sentBack.get(step.id)),
        ...unlessZero('handedOver', run.handedOver.get(step.id)),
        ...Object.fromEntries(outcomesOf(run, step.id).map((outcome) => [runsWith(outcome), 1])),
      }),
      ...visits.flatMap((visit) => {
        const { ending, isReturned, doneBy } = visit;
        const took = visitDurations(run, visit, trace.calendar);
        const kept = keptDueTime(visit);
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

const unlessZero = (name: string, times = 0): Record<string, number> => (times > 0 ? { [name]: times } : {});

/** Returns the counts of one visit or run: `timed` if it has an SLA, and `kept` if it met the SLA. */
const slaCounts = (kept: boolean | null): Record<string, number> =>
  kept === null ? {} : kept ? { timed: 1, kept: 1 } : { timed: 1 };

const sums = (took: Durations | null): Record<string, number> =>
  took ? { calendarMs: took.calendar, waitingMs: took.waiting } : {};

const spreadsOf = (took: Durations | null): Cell['spreads'] =>
  took
    ? {
        calendar: [roundedSeconds(took.calendar), 1],
        working: [roundedSeconds(took.working), 1],
        waiting: [roundedSeconds(took.waiting), 1],
        handling: [roundedSeconds(took.handling), 1],
      }
    : {};

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
