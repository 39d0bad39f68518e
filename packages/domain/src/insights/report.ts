import { DAY_MS } from '../sla/duration.ts';
import {
  type Cell,
  type CellKind,
  type KeyedCell,
  type StepOutcome,
  EMPTY_CELL,
  STEP_OUTCOMES,
  runsWith,
  sumCells,
  sumsBy,
} from './cells.ts';
import { DEVIATIONS, type Deviation } from './findings.ts';
import {
  type Spread,
  type Verdict,
  EMPTY_SPREAD,
  ENOUGH_RUNS,
  percentileOf,
  percentilesOf,
  sizeOf,
  verdictOn,
} from './spread.ts';
import { MEASURES, type Measure } from './trace.ts';

/** Two percentiles in seconds; null if nothing is counted. */
export type Percentiles = { p50: number | null; p90: number | null };

/**
 * Durations of completed runs or steps. `count` is the number of runs, or of visits to the step, that the figures are
 * based on.
 */
export type Times = { count: number } & Record<Measure, Percentiles>;

/**
 * `timed` is the number of completed runs with an SLA of their own or of a step, or of visits with an SLA that ended
 * without a reset. `kept` is the number of those that met all of these SLAs.
 */
export type SlaFigure = { timed: number; kept: number };

/** Figures of runs. `times` and `sla` are those of the completed ones. */
type RunFigures = { started: number; completed: number; times: Times; sla: SlaFigure };

/**
 * Figures of a step. A run that was returned to the step by a rejection is counted once in `runs`, but once per
 * visit in `visits`.
 */
export type StepFigures = {
  stepId: string;
  runs: number;
  visits: number;
  completed: number;
  skipped: number;
  failed: number;
  /** The number of rejections that returned a run to the step. */
  returned: number;
  /** The number of rejections at the step, or of times that its input was returned. */
  sentBack: number;
  handedOver: number;
  /** Runs in which no taken branch led to the step. */
  bypassed: number;
  /** The number of runs in which each outcome occurred at least once. */
  inRuns: Record<StepOutcome, number>;
  times: Times;
  sla: SlaFigure;
  people: PersonFigures[] | null;
};

/**
 * The figures of one person at a step; `runs` is the number of runs in which they completed it. If the person is null,
 * the entry is about everyone with fewer than `FEWEST_RUNS` runs. If they have fewer runs even in total, the entry has
 * no times, because they could be those of one person.
 */
export type PersonFigures = { personId: string | null; runs: number; times: Times };

/** A person with fewer runs than this has no entry of their own. */
const FEWEST_RUNS = 5;

/** Maximum number of listed paths; the others are only counted. */
const MAX_PATHS = 20;

/** `runs` is the number of runs that the median is based on; a step can be completed more than once in a run. */
type SideOfChange = { runs: number; p50: number | null };
export type Change = { before: SideOfChange; after: SideOfChange; verdict: Verdict };

/**
 * The changes that came with a version, compared with the latest earlier version that has runs in the period: the run's
 * measures, and the time of each step that both have.
 */
export type VersionChange = {
  before: number;
  after: number;
  measures: Record<Measure, Change>;
  steps: ({ stepId: string } & Change)[];
};

export type WorkflowReport = {
  runs: RunFigures & { ended: number; failed: number; cancelled: number };
  weeks: ({ week: string } & RunFigures)[];
  versions: ({ version: number } & RunFigures)[];
  steps: StepFigures[];
  paths: { listed: { stepIds: string[]; runs: number }[]; others: number; runs: number };
  change: VersionChange | null;
  load: LoadFigure[];
};

/**
 * Steps that began to wait for a group, role or other performers (`who`) in a week (`arrived`), and steps completed or
 * skipped in it (`done`).
 */
export type LoadFigure = { who: string; week: string; arrived: number; done: number };

/**
 * Returns the figures of a workflow from its cells.
 * @param cells the cells of the period, for all versions
 * @param options `version`: only runs of this version, null for all; `changedWith`: the version to compare with the
 * previous one; `hasPeople`: whether steps are split by person
 */
export function workflowReport(
  cells: readonly KeyedCell[],
  { version, changedWith, hasPeople }: { version: number | null; changedWith: number | null; hasPeople: boolean },
): WorkflowReport {
  const shown = version === null ? cells : cells.filter((cell) => cell.version === version);
  const ofKind = (kind: CellKind): KeyedCell[] => shown.filter((cell) => cell.kind === kind);
  const byWeek = sumsBy(ofKind('run'), ({ week }) => week);
  const byVersion = sumsBy(
    cells.filter(({ kind }) => kind === 'run'),
    (cell) => cell.version,
  );
  const whole = version === null ? sumCells([...byVersion.values()]) : (byVersion.get(version) ?? EMPTY_CELL);
  const { ended = 0, failed = 0, cancelled = 0 } = whole.counts;
  return {
    runs: { ...runFigures(whole), ended, failed, cancelled },
    weeks: inOrder(byWeek).map(([week, cell]) => ({ week, ...runFigures(cell) })),
    versions: [...byVersion]
      .toSorted(([one], [other]) => one - other)
      .map(([each, cell]) => ({ version: each, ...runFigures(cell) })),
    steps: stepFigures(ofKind('step'), hasPeople ? ofKind('person') : null),
    paths: pathFigures(ofKind('path')),
    change: changeOf(cells, changedWith),
    load: loadFigures(ofKind('load')),
  };
}

/** Returns the number of deviations of each kind at each step, the most frequent first. */
export function deviationCounts(cells: readonly KeyedCell[]): { kind: Deviation; stepId: string; findings: number }[] {
  const sums = sumsBy(
    cells.filter(({ kind }) => kind === 'finding'),
    ({ subject }) => subject,
  );
  return [...sums]
    .flatMap(([subject, { counts }]) => {
      const [name, stepId = ''] = subject.split('\n');
      const kind = DEVIATIONS.find((each) => each === name);
      return kind && (counts['findings'] ?? 0) > 0 ? [{ kind, stepId, findings: counts['findings'] ?? 0 }] : [];
    })
    .toSorted((one, other) => other.findings - one.findings || one.stepId.localeCompare(other.stepId));
}

/** Returns the load by week and group, role or other performers. */
const loadFigures = (cells: readonly KeyedCell[]): LoadFigure[] =>
  inOrder(sumsBy(cells, ({ subject, week }) => `${subject}\n${week}`)).map(([key, { counts }]) => {
    const [who = '', week = ''] = key.split('\n');
    return { who, week, arrived: counts['arrived'] ?? 0, done: counts['done'] ?? 0 };
  });

/** Returns the Mondays (`YYYY-MM-DD`) from one week to another, both inclusive. */
export function weeksBetween(first: string, last: string): string[] {
  const weeks: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += 7 * DAY_MS)
    weeks.push(new Date(at).toISOString().slice(0, 10));
  return weeks;
}

function runFigures(cell: Cell): RunFigures {
  const { started = 0, completed = 0 } = cell.counts;
  return { started, completed, times: timesOf(cell), sla: slaOf(cell) };
}

function stepFigures(cells: readonly KeyedCell[], people: readonly KeyedCell[] | null): StepFigures[] {
  return [...sumsBy(cells, ({ subject }) => subject)].map(([stepId, cell]) => {
    const { runs = 0, visits = 0, completed = 0, skipped = 0, failed = 0 } = cell.counts;
    const { returned = 0, sentBack = 0, handedOver = 0, bypassed = 0 } = cell.counts;
    const counts = { runs, visits, completed, skipped, failed, returned, sentBack, handedOver, bypassed };
    return {
      stepId,
      ...counts,
      inRuns: Object.fromEntries(
        STEP_OUTCOMES.map((outcome) => [outcome, cell.counts[runsWith(outcome)] ?? 0]),
      ) as Record<StepOutcome, number>,
      times: timesOf(cell),
      sla: slaOf(cell),
      people: people && personFigures(people, stepId),
    };
  });
}

/** People aren't ranked: they are in the order of their ids, and the caller orders them by name. */
function personFigures(cells: readonly KeyedCell[], stepId: string): PersonFigures[] {
  const own = cells.filter(({ subject }) => subject.startsWith(`${stepId}\n`));
  const sums = inOrder(sumsBy(own, ({ subject }) => subject.slice(stepId.length + 1)));
  const isShown = ({ counts }: Cell): boolean => (counts['runs'] ?? 0) >= FEWEST_RUNS;
  const few = sums.filter(([, cell]) => !isShown(cell));
  const shown = sums.filter(([, cell]) => isShown(cell));
  const figures = (personId: string | null, cell: Cell) => ({
    personId,
    runs: cell.counts['runs'] ?? 0,
    times: timesOf(cell),
  });
  const rest = sumCells(few.map(([, cell]) => cell));
  return [
    ...shown.map(([id, cell]) => figures(id, cell)),
    ...((rest.counts['runs'] ?? 0) > 0
      ? [{ ...figures(null, rest), ...(!isShown(rest) && { times: timesOf(EMPTY_CELL) }) }]
      : []),
  ];
}

function pathFigures(cells: readonly KeyedCell[]): WorkflowReport['paths'] {
  const all = [...sumsBy(cells, ({ subject }) => subject)]
    .map(([subject, { counts }]) => ({ stepIds: subject === '' ? [] : subject.split('\n'), runs: counts['runs'] ?? 0 }))
    .filter(({ runs }) => runs > 0)
    .toSorted((one, other) => other.runs - one.runs || one.stepIds.join('\n').localeCompare(other.stepIds.join('\n')));
  const count = (paths: typeof all): number => paths.reduce((sum, { runs }) => sum + runs, 0);
  return { listed: all.slice(0, MAX_PATHS), others: count(all.slice(MAX_PATHS)), runs: count(all) };
}

function changeOf(cells: readonly KeyedCell[], after: number | null): VersionChange | null {
  const versions = [...new Set(cells.filter(({ kind }) => kind === 'run').map(({ version }) => version))];
  const earlier = after === null ? [] : versions.filter((version) => version < after);
  if (after === null || earlier.length === 0 || !versions.includes(after)) return null;
  const before = earlier.reduce((one, other) => Math.max(one, other));
  const side = (kind: CellKind, version: number): KeyedCell[] =>
    cells.filter((cell) => cell.kind === kind && cell.version === version);
  const runs = [sumCells(side('run', before)), sumCells(side('run', after))] as const;
  const steps = [before, after].map((version) => sumsBy(side('step', version), ({ subject }) => subject));
  const shared = [...(steps[0]?.keys() ?? [])].filter((id) => steps[1]?.has(id));
  return {
    before,
    after,
    measures: Object.fromEntries(
      MEASURES.map((measure) => [measure, comparison(runs[0].spreads[measure], runs[1].spreads[measure])]),
    ) as VersionChange['measures'],
    steps: shared.map((stepId) => {
      const [one = EMPTY_CELL, other = EMPTY_CELL] = steps.map((cells) => cells.get(stepId));
      const compared = comparison(one.spreads.calendar, other.spreads.calendar);
      const inRuns = ({ counts }: Cell): number => counts[runsWith('completed')] ?? 0;
      return {
        stepId,
        before: { ...compared.before, runs: inRuns(one) },
        after: { ...compared.after, runs: inRuns(other) },
        verdict: Math.min(inRuns(one), inRuns(other)) < ENOUGH_RUNS ? 'too_few_runs' : compared.verdict,
      };
    }),
  };
}

function comparison(before = EMPTY_SPREAD, after = EMPTY_SPREAD): Change {
  const side = (spread: Spread): SideOfChange => ({ runs: sizeOf(spread), p50: percentileOf(spread, 0.5) });
  return { before: side(before), after: side(after), verdict: verdictOn(before, after) };
}

/** Returns the durations of a cell. */
function timesOf({ spreads }: Cell): Times {
  const of = (spread = EMPTY_SPREAD): Percentiles => {
    const [p50 = null, p90 = null] = percentilesOf(spread, [0.5, 0.9]);
    return { p50, p90 };
  };
  const times = Object.fromEntries(MEASURES.map((measure) => [measure, of(spreads[measure])])) as Record<
    Measure,
    Percentiles
  >;
  return { count: sizeOf(spreads.calendar ?? EMPTY_SPREAD), ...times };
}

const slaOf = ({ counts }: Cell): SlaFigure => ({ timed: counts['timed'] ?? 0, kept: counts['kept'] ?? 0 });

const inOrder = <T>(sums: ReadonlyMap<string, T>): [string, T][] =>
  [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1));
