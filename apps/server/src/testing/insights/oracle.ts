import type { WorkflowInsights } from '@stet/contract';

/** An event of a run in the exported trail. */
export type ExportedEvent = {
  runId: string;
  action: string;
  actor: { id: string; kind: string };
  data: Record<string, unknown> & { at?: number; stepId?: string; activation?: number };
};
/** A step, as far as the oracle needs it. `load` contains the names under which its load is counted. */
export type OracleStep = {
  id: string;
  type: 'manual' | 'approval' | 'condition';
  next: readonly string[];
  isReviewed: boolean;
  evidence: readonly string[];
  load: readonly string[];
};
/** A run as the client started it; the trail has its events. */
export type PlayedRun = { id: string; key: string; version: number };
/** The time from an activation of a step to its end, or to the end of the run if that came first. */
type Spell = {
  stepId: string;
  from: number;
  to: number;
  touched: number;
  ending: 'completed' | 'skipped' | 'failed' | 'reset' | null;
  dueAt: number | null;
  isReturned: boolean;
  doneBy: string | null;
};
type Percentiles = { p50: number | null; p90: number | null };
type Lengths = { calendar: number; working: number; waiting: number; handling: number };
/** Everything that is known about one run. `events` are those up to its last end, or none if it hasn't ended. */
type Known = PlayedRun & {
  week: string;
  endedAs: 'completed' | 'failed' | 'cancelled' | null;
  events: ExportedEvent[];
  spells: Spell[];
  lengths: Lengths | null;
  kept: boolean | null;
  path: string[];
  findings: string[];
};

const DAY = 86_400_000;
const ENDS = ['run.completed', 'run.failed', 'run.cancelled'];
const REACTIONS =
  /^(note\.added|step\.(submitted|returned|approved|rejected|completed|skip_agreed|skipped|claimed|released|handed_over)|run\.(paused|resumed|priority_changed))$/;

/** Reads the events of runs from an exported trail. */
export const readExport = (text: string): ExportedEvent[] =>
  text
    .split('\n')
    .filter((line) => line.includes('"runId\\"'))
    .map((line) => JSON.parse((JSON.parse(line) as { payload: string }).payload) as ExportedEvent);

/** Like `Map.groupBy`, which Node 20 doesn't have. */
export function grouped<T, K>(list: readonly T[], of: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of list) groups.set(of(item), [...(groups.get(of(item)) ?? []), item]);
  return groups;
}

export const monday = (at: number): string => {
  const date = new Date(at);
  date.setUTCHours(0, 0, 0, 0);
  while (date.getUTCDay() !== 1) date.setTime(date.getTime() - DAY);
  return date.toISOString().slice(0, 10);
};
const rounded = (ms: number): number => {
  const seconds = ms / 1000;
  return seconds < 99.5 ? Math.round(seconds) : Number(seconds.toPrecision(2));
};
const percentile = (values: readonly number[], share: number): number | null =>
  values.length === 0
    ? null
    : rounded([...values].sort((one, other) => one - other)[Math.max(1, Math.ceil(share * values.length)) - 1] ?? 0);
export const percentiles = (values: readonly number[]): Percentiles => ({
  p50: percentile(values, 0.5),
  p90: percentile(values, 0.9),
});

/**
 * Computes the figures of insights a second time, from the exported events of runs and the steps of their workflows. It
 * divides the time of a run at every event and at every full hour, and looks at each piece. Unlike the server, it
 * computes percentiles from all durations, and always starts from the beginning instead of updating stored figures.
 */
export class InsightsOracle {
  readonly #known: Known[];

  /** `isWorking` is true for times within working hours, which begin and end at full hours of UTC. */
  constructor(
    events: readonly ExportedEvent[],
    runs: readonly PlayedRun[],
    private readonly stepsOf: (run: Pick<PlayedRun, 'key' | 'version'>) => readonly OracleStep[],
    private readonly isWorking: (at: number) => boolean,
  ) {
    const ofRun = grouped(events, ({ runId }) => runId);
    this.#known = runs.map((run) => this.#read(run, ofRun.get(run.id) ?? []));
  }

  get runs(): readonly Known[] {
    return this.#known;
  }

  #read(run: PlayedRun, all: ExportedEvent[]): Known {
    const turn = all.findLastIndex(({ action }) => ENDS.includes(action) || action === 'step.retried');
    const isEnded = turn >= 0 && all[turn]?.action !== 'step.retried';
    const events = isEnded ? all.slice(0, turn + 1) : [];
    const start = Number(all[0]?.data.at);
    const steps = this.stepsOf(run);
    const endedAs = isEnded ? (String(all[turn]?.action).slice(4) as Known['endedAs']) : null;
    const base = { ...run, week: monday(start), endedAs, events };
    if (!isEnded) return { ...base, spells: [], lengths: null, kept: null, path: [], findings: [] };
    const end = Number(events.at(-1)?.data.at);
    const pauses = pausesIn(events, end);
    const spells = spellsIn(events, steps, pauses, end);
    const inPause = (at: number) => pauses.some(({ from, to }) => from <= at && at < to);
    const pieces = piecesOf(events, start, end);
    const measure = (from: number, to: number, isTouched: (at: number) => boolean): Lengths => {
      const sum = { calendar: 0, working: 0, waiting: 0, handling: 0 };
      for (const [begin, stop] of pieces) {
        if (begin < from || stop > to || inPause(begin)) continue;
        const length = stop - begin;
        sum.calendar += length;
        if (this.isWorking(begin)) sum.working += length;
        sum[isTouched(begin) ? 'handling' : 'waiting'] += length;
      }
      return sum;
    };
    const isHandled = (at: number) => spells.some(({ touched, to }) => touched <= at && at < to);
    const taken = new Set(spells.filter((spell) => !isUndone(spell, spells, events)).map(({ stepId }) => stepId));
    return {
      ...base,
      spells: spells.map((spell) => ({
        ...spell,
        lengths: measure(spell.from, spell.to, (at) => at >= spell.touched),
      })),
      lengths: endedAs === 'completed' ? measure(start, end, isHandled) : null,
      kept: endedAs === 'completed' ? keptOf(events, spells, end) : null,
      path: endedAs === 'completed' ? steps.filter(({ id }) => taken.has(id)).map(({ id }) => id) : [],
      findings: findingsIn(events, spells, steps, end),
    };
  }

  #of(key: string, version: number | null): Known[] {
    return this.#known.filter((run) => run.key === key && (version === null || run.version === version));
  }

  /**
   * The figures of a workflow that can be computed from the trail, as in the response, except for `paths`: the number
   * of runs by the ids of their steps, one per line.
   */
  insights(key: string, version: number | null, stepIds: readonly string[]) {
    const runs = this.#of(key, version);
    const ended = runs.filter(({ endedAs }) => endedAs !== null);
    const steps = stepIds.flatMap((stepId) => {
      const step = stepFigures(ended, stepId);
      return step ? [step] : [];
    });
    const completed = ended.filter(({ endedAs }) => endedAs === 'completed');
    const paths = grouped(completed, ({ path }) => path.join('\n'));
    return {
      runs: {
        ...runFigures(runs),
        ended: ended.length,
        failed: ended.filter(({ endedAs }) => endedAs === 'failed').length,
        cancelled: ended.filter(({ endedAs }) => endedAs === 'cancelled').length,
      },
      weeks: groups(runs, ({ week }) => week).map(([week, list]) => ({ week, ...runFigures(list) })),
      versions: groups(this.#of(key, null), (run) => run.version).map(([each, list]) => ({
        version: each,
        ...runFigures(list),
      })),
      steps,
      paths: new Map([...paths].map(([path, list]) => [path, list.length])),
    };
  }

  /** The medians of a version: run measures by name, and the times of steps by id. */
  medians(key: string, version: number) {
    const ended = this.#of(key, version).filter(({ endedAs }) => endedAs !== null);
    const ids = [...new Set(ended.flatMap(({ spells }) => spells.map(({ stepId }) => stepId)))];
    const lengths = ended.flatMap((run) => run.lengths ?? []);
    return {
      runs: lengths.length,
      calendar: percentile(
        lengths.map(({ calendar }) => calendar),
        0.5,
      ),
      working: percentile(
        lengths.map(({ working }) => working),
        0.5,
      ),
      waiting: percentile(
        lengths.map(({ waiting }) => waiting),
        0.5,
      ),
      handling: percentile(
        lengths.map(({ handling }) => handling),
        0.5,
      ),
      steps: new Map(
        ids.map((id) => {
          const step = stepFigures(ended, id);
          return [id, { runs: step?.inRuns.completed ?? 0, p50: step?.times.calendar.p50 ?? null }];
        }),
      ),
    };
  }

  /** The findings of a workflow, as `run kind step activation`. */
  findings(key: string, version: number | null): string[] {
    return this.#of(key, version).flatMap(({ id, findings }) => findings.map((each) => `${id} ${each}`));
  }

  /** The ids of the runs behind a figure, for example `late:check`. */
  runsBehind(key: string, figure: string): string[] {
    const [outcome = '', stepId = ''] = figure.split(':');
    return this.#of(key, null)
      .filter((run) => run.endedAs !== null && outcomesOf(run, stepId).has(outcome))
      .map(({ id }) => id);
  }

  /** The load as `who week arrived done`, from the events of all runs. */
  load(key: string | null, all: readonly ExportedEvent[]): string[] {
    const counts = new Map<string, [number, number]>();
    const runs = new Map(this.#known.map((run) => [run.id, run]));
    for (const { runId, action, data } of all) {
      const run = runs.get(runId);
      const isArrival = action === 'step.activated';
      const isDone = action === 'step.completed' || (action === 'step.skipped' && data['onward'] === true);
      if (!run || (key !== null && run.key !== key) || (!isArrival && !isDone)) continue;
      const step = this.stepsOf(run).find(({ id }) => id === data.stepId);
      if (!step || step.type === 'condition') continue;
      for (const who of step.load) {
        const id = `${who} ${monday(Number(data.at))}`;
        const count = counts.get(id) ?? [0, 0];
        count[isArrival ? 0 : 1] += 1;
        counts.set(id, count);
      }
    }
    return [...counts].map(([id, [arrived, done]]) => `${id} ${arrived} ${done}`).sort();
  }

  /** Counts the runs in which each person completed the step. People with fewer than five runs are counted together. */
  people(key: string, stepId: string): { named: Map<string, number>; others: number } {
    const counts = new Map<string, number>();
    for (const run of this.#of(key, null)) {
      if (run.endedAs === null) continue;
      const doers = new Set(
        run.spells.flatMap(({ stepId: id, doneBy, ending }) =>
          id === stepId && ending === 'completed' && doneBy !== null ? [doneBy] : [],
        ),
      );
      for (const doer of doers) counts.set(doer, (counts.get(doer) ?? 0) + 1);
    }
    const named = new Map([...counts].filter(([, count]) => count >= 5));
    return { named, others: [...counts.values()].filter((count) => count < 5).reduce((sum, count) => sum + count, 0) };
  }
}

const groups = <K extends string | number>(runs: readonly Known[], of: (run: Known) => K): [K, Known[]][] =>
  [...grouped(runs, of)].sort(([one], [other]) => (one < other ? -1 : 1));

function timesOf(lengths: readonly Lengths[]): WorkflowInsights['runs']['times'] {
  const of = (name: keyof Lengths) => percentiles(lengths.map((each) => each[name]));
  return {
    count: lengths.length,
    calendar: of('calendar'),
    working: of('working'),
    waiting: of('waiting'),
    handling: of('handling'),
  };
}

function runFigures(runs: readonly Known[]) {
  const completed = runs.filter(({ endedAs }) => endedAs === 'completed');
  const timed = completed.filter(({ kept }) => kept !== null);
  return {
    started: runs.length,
    completed: completed.length,
    times: timesOf(completed.flatMap(({ lengths }) => lengths ?? [])),
    sla: { timed: timed.length, kept: timed.filter(({ kept }) => kept).length },
  };
}

const isInTime = ({ dueAt, ending, to }: Spell): boolean | null =>
  dueAt === null || ending === null || ending === 'reset' ? null : to <= dueAt;

function outcomesOf({ spells, events }: Pick<Known, 'spells' | 'events'>, stepId: string): Set<string> {
  const own = spells.filter((spell) => spell.stepId === stepId);
  const acted = (...actions: string[]) =>
    events.some(({ action, data }) => actions.includes(action) && data.stepId === stepId);
  return new Set([
    ...own.flatMap(({ ending }) => (ending === null || ending === 'reset' ? [] : [ending])),
    ...(own.some(({ isReturned }) => isReturned) ? ['returned'] : []),
    ...(acted('step.rejected', 'step.returned') ? ['sentBack'] : []),
    ...(acted('step.handed_over') ? ['handedOver'] : []),
    ...(own.some((spell) => isInTime(spell) === false) ? ['late'] : []),
  ]);
}

function stepFigures(ended: readonly Known[], stepId: string) {
  const reached = ended.filter(({ spells }) => spells.some((spell) => spell.stepId === stepId));
  const bypassed = ended.filter(({ events }) => isBypassed(events, stepId)).length;
  if (reached.length === 0 && bypassed === 0) return null;
  const spells = reached.flatMap((run) => run.spells.filter((spell) => spell.stepId === stepId));
  const times = (...actions: string[]) =>
    reached.flatMap(({ events }) =>
      events.filter(({ action, data }) => actions.includes(action) && data.stepId === stepId),
    ).length;
  const ending = (name: Spell['ending']) => spells.filter((spell) => spell.ending === name).length;
  const timed = spells.filter((spell) => isInTime(spell) !== null);
  const inRuns = (outcome: string) => reached.filter((run) => outcomesOf(run, stepId).has(outcome)).length;
  return {
    stepId,
    runs: reached.length,
    visits: spells.length,
    completed: ending('completed'),
    skipped: ending('skipped'),
    failed: ending('failed'),
    returned: spells.filter(({ isReturned }) => isReturned).length,
    sentBack: times('step.rejected', 'step.returned'),
    handedOver: times('step.handed_over'),
    bypassed,
    inRuns: {
      completed: inRuns('completed'),
      skipped: inRuns('skipped'),
      failed: inRuns('failed'),
      returned: inRuns('returned'),
      sentBack: inRuns('sentBack'),
      handedOver: inRuns('handedOver'),
      late: inRuns('late'),
    },
    times: timesOf(
      spells
        .filter((spell) => spell.ending === 'completed')
        .map((spell) => (spell as Spell & { lengths: Lengths }).lengths),
    ),
    sla: { timed: timed.length, kept: timed.filter((spell) => isInTime(spell)).length },
  };
}

/** True if, after its last activation or reset, the step was skipped because no chosen branch leads to it. */
function isBypassed(events: readonly ExportedEvent[], stepId: string): boolean {
  const last = events.findLast(
    ({ action, data }) =>
      data.stepId === stepId &&
      (action === 'step.activated' ||
        action === 'step.reset' ||
        (action === 'step.skipped' && data['onward'] === false)),
  );
  return last?.action === 'step.skipped';
}

type Pause = { from: number; to: number };

function pausesIn(events: readonly ExportedEvent[], end: number): Pause[] {
  const pauses: Pause[] = [];
  for (const { action, data } of events) {
    if (action === 'run.paused') pauses.push({ from: Number(data.at), to: end });
    const last = pauses.at(-1);
    if (action === 'run.resumed' && last) last.to = Number(data.at);
  }
  return pauses;
}

function spellsIn(
  events: readonly ExportedEvent[],
  steps: readonly OracleStep[],
  pauses: readonly Pause[],
  end: number,
): Spell[] {
  return events.flatMap(({ action, data }, at): Spell[] => {
    if (action !== 'step.activated') return [];
    const own = events
      .slice(at + 1)
      .filter((event) => event.data.stepId === data.stepId && event.data.activation === data.activation);
    const over = own.find(
      (event) =>
        ['step.completed', 'step.failed', 'step.reset'].includes(event.action) ||
        (event.action === 'step.skipped' && event.data['onward'] === true),
    );
    const from = Number(data.at);
    const to = over ? Number(over.data.at) : end;
    const isReset = over?.action === 'step.reset';
    const first = own.find(
      (event) =>
        /^step\.(claimed|submitted|approved|returned|rejected|skip_agreed)$/.test(event.action) ||
        (event === over && !isReset),
    );
    const isServers = steps.find(({ id }) => id === data.stepId)?.type === 'condition';
    const touched = isServers ? from : first && Number(first.data.at) <= to ? Number(first.data.at) : Infinity;
    return [
      {
        stepId: String(data.stepId),
        from,
        to,
        touched,
        ending: over ? (over.action.slice(5) as Spell['ending']) : null,
        dueAt: dueAfterPauses(data['dueAt'] as number | null, String(data.stepId), from, to, events, pauses),
        isReturned: data['returned'] !== null,
        doneBy: over?.action === 'step.completed' && !isServers ? over.actor.id : null,
      },
    ];
  });
}

/**
 * A pause moves the due time by the pause's length. With working hours, the resumption's event contains the new due
 * time.
 */
function dueAfterPauses(
  dueAt: number | null,
  stepId: string,
  from: number,
  to: number,
  events: readonly ExportedEvent[],
  pauses: readonly Pause[],
): number | null {
  if (dueAt === null) return null;
  let due = dueAt;
  for (const { action, data } of events) {
    const at = Number(data.at);
    if (at < from || at > to) continue;
    if (action === 'run.resumed') {
      const named = (data['deadlines'] as Record<string, { dueAt: number }> | undefined)?.[stepId];
      due = named ? named.dueAt : due + Number(data['pausedMs']);
    }
    if (action === 'run.cancelled') {
      const open = pauses.find((pause) => pause.to === at);
      if (open) due += at - open.from;
    }
  }
  return due;
}

/** Divides a time at every event and at every full hour of UTC. */
function piecesOf(events: readonly ExportedEvent[], start: number, end: number): [number, number][] {
  const cuts = new Set([start, end, ...events.map(({ data }) => Number(data.at))]);
  for (let at = Math.ceil(start / 3_600_000) * 3_600_000; at < end; at += 3_600_000) cuts.add(at);
  const sorted = [...cuts].filter((at) => at >= start && at <= end).sort((one, other) => one - other);
  return sorted.slice(1).map((to, at) => [sorted[at] ?? to, to]);
}

/** True if a rejection reset the step after this spell began. */
const isUndone = ({ stepId, from }: Spell, spells: readonly Spell[], events: readonly ExportedEvent[]): boolean => {
  const order = (event: ExportedEvent) => events.indexOf(event);
  const activated = events.find(
    ({ action, data }) => action === 'step.activated' && data.stepId === stepId && data.at === from,
  );
  return (
    spells.length > 0 &&
    events.some(
      (event) =>
        event.action === 'step.reset' &&
        event.data.stepId === stepId &&
        activated !== undefined &&
        order(event) > order(activated),
    )
  );
};

function keptOf(events: readonly ExportedEvent[], spells: readonly Spell[], end: number): boolean | null {
  const start = events[0]?.data;
  const deadline = start?.['deadline'] as { dueAt: number } | undefined;
  const target = start?.['targetMs'] as number | null;
  let due = deadline ? deadline.dueAt : target === null ? null : Number(start?.at) + target;
  for (const { action, data } of events)
    if (action === 'run.resumed' && due !== null)
      due = (data['deadline'] as { dueAt: number } | undefined)?.dueAt ?? due + Number(data['pausedMs']);
  const clocks = due === null ? [] : [{ due, to: end }];
  for (const stepId of new Set(spells.map((spell) => spell.stepId))) {
    const last = spells.findLast((spell) => spell.stepId === stepId);
    if (last && last.dueAt !== null && !isUndone(last, spells, events)) clocks.push({ due: last.dueAt, to: last.to });
  }
  return clocks.length === 0 ? null : clocks.every((clock) => clock.to <= clock.due);
}

/** The deviations of a run, as `kind step activation`. */
function findingsIn(
  events: readonly ExportedEvent[],
  spells: readonly Spell[],
  steps: readonly OracleStep[],
  end: number,
): string[] {
  const found = new Set<string>();
  const returns = new Map<string, number>();
  for (const [n, { action, data, actor }] of events.entries()) {
    const stepId = String(data.stepId);
    const step = steps.find(({ id }) => id === stepId);
    if (!step) continue;
    const add = (kind: string) => found.add(`${kind} ${stepId} ${String(data.activation)}`);
    const isDecision = ['step.skipped', 'step.skip_agreed', 'step.approved', 'step.submitted'].includes(action);
    const isOnward = action !== 'step.skipped' || data['onward'] === true;
    if (isDecision && isOnward && Array.isArray(data['marks']) && data['marks'].length > 0) add('decision_marked');
    if (((isDecision && isOnward) || action === 'step.completed') && data['actsFor']) add('done_by_other');
    if (action === 'step.skipped' && isOnward)
      add(step.type === 'approval' || step.isReviewed ? 'control_skipped' : 'step_skipped');
    if (action === 'step.approved') {
      const opened = events
        .slice(0, n)
        .findLast(
          (event) =>
            ['step.activated', 'step.submitted'].includes(event.action) &&
            event.data.stepId === stepId &&
            event.data.activation === data.activation,
        );
      if (opened && Number(data.at) - Number(opened.data.at) <= 10_000) add('approved_at_once');
      const before = steps.filter(({ next }) => next.includes(stepId)).map(({ id }) => id);
      const isOwn = before.some((id) => {
        const last = spells.findLast(
          (spell) => spell.stepId === id && spell.ending !== null && spell.to <= Number(data.at),
        );
        return last?.doneBy === actor.id;
      });
      if (step.type === 'approval' && isOwn) add('own_work_approved');
    }
    if (action === 'step.completed' && step.evidence.length > 0) {
      const fields = (data['output'] as { fields?: Record<string, unknown> } | null)?.fields ?? {};
      if (step.evidence.every((id) => !fields[id])) add('evidence_missing');
    }
    if (action === 'step.retried' && data['retriedAlone']) add('retried_alone');
    if (action === 'step.returned' || (action === 'step.activated' && data['returned'] !== null)) {
      const count = (returns.get(stepId) ?? 0) + 1;
      returns.set(stepId, count);
      if (count === 3) add('returned_often');
    }
  }
  for (const spell of spells) {
    const { stepId, dueAt, from, to, ending } = spell;
    if (dueAt === null || ending === 'reset') continue;
    const isLate = ending === null || to > dueAt;
    if (!isLate) continue;
    const activation = events.find(
      ({ action, data }) => action === 'step.activated' && data.stepId === stepId && data.at === from,
    )?.data.activation;
    if (ending === 'completed' && to - from > 2 * (dueAt - from))
      found.add(`done_long_after ${stepId} ${String(activation)}`);
    const until = dueAt + DAY;
    const hasReaction =
      (ending === null ? end : to) <= until ||
      events.some(
        ({ action, data }) =>
          REACTIONS.test(action) &&
          Number(data.at) > dueAt &&
          Number(data.at) <= until &&
          (data.stepId === undefined || data.stepId === null || data.stepId === stepId),
      );
    if (!hasReaction) found.add(`no_reaction ${stepId} ${String(activation)}`);
  }
  return [...found];
}
