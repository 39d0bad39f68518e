import { type WorkCalendar, workingMsBetween } from '../sla/calendar.ts';
import { type Step, isServerType } from '../steps/index.ts';
import type { RunFact } from '../runs/facts.ts';
import type { RunActor } from '../runs/state.ts';

/** A note in a run's conversation; `stepId` is null for a note on the whole run. `at` is in epoch milliseconds. */
export type TracedNote = { at: number; stepId: string | null };

/** The events of one run in order, the version it follows, and the working hours in force at its end. */
export type RunTrace = {
  version: number;
  steps: readonly Step[];
  facts: readonly RunFact[];
  notes: readonly TracedNote[];
  calendar: WorkCalendar | null;
};

export type VisitEnding = 'completed' | 'skipped' | 'failed' | 'reset';

/**
 * One activation of a step. Times are in epoch milliseconds. `to` and `ending` are null if the activation hasn't ended:
 * the step is still active, or the run ended first.
 */
export type Visit = {
  stepId: string;
  activation: number;
  from: number;
  to: number | null;
  ending: VisitEnding | null;
  /**
   * When someone first acted on the step, at the latest its end. For a step of the server, when the step began. Null
   * while nobody has acted, or if it was reset before anyone did.
   */
  firstActionAt: number | null;
  /** The due time, including pauses. Null without an SLA. */
  dueAt: number | null;
  /** True if a rejection returned the run to the step. */
  isReturned: boolean;
  /** True if a rejection has reset the step since. */
  isUndone: boolean;
  doneBy: RunActor | null;
};

/** A time from `from` to `to`, in epoch milliseconds. */
type Span = { from: number; to: number };

/** The data of a run that figures and findings use. Times are in epoch milliseconds. */
export type TracedRun = {
  startedAt: number;
  /** Null until the run is completed, cancelled or failed, and again after a failed run is retried. */
  ended: { at: number; as: 'completed' | 'failed' | 'cancelled' } | null;
  /** When the run itself is due, including pauses; null without an SLA. */
  dueAt: number | null;
  visits: Visit[];
  pauses: Span[];
  /** Steps that no taken branch led to. */
  bypassed: Set<string>;
  /** The number of rejections and returned inputs by step. */
  sentBack: Map<string, number>;
  /** The number of hand-overs by step. */
  handedOver: Map<string, number>;
};

/** Replays the facts of a run. Returns null if they don't begin with its start. */
export function traceRun({ steps, facts }: Pick<RunTrace, 'steps' | 'facts'>): TracedRun | null {
  const [start] = facts;
  if (start?.type !== 'run_started') return null;
  const isServers = new Map(steps.map(({ id, type }) => [id, isServerType(type)]));
  const run: TracedRun = {
    startedAt: start.at,
    ended: null,
    dueAt: start.deadline ? start.deadline.dueAt : start.targetMs === null ? null : start.at + start.targetMs,
    visits: [],
    pauses: [],
    bypassed: new Set(),
    sentBack: new Map(),
    handedOver: new Map(),
  };
  const open = new Map<string, Visit>();
  let pausedSince: number | null = null;
  const endPause = (at: number, pausedMs: number): void => {
    if (pausedSince !== null) run.pauses.push({ from: pausedSince, to: at });
    pausedSince = null;
    if (run.dueAt !== null) run.dueAt += pausedMs;
    for (const visit of open.values()) if (visit.dueAt !== null) visit.dueAt += pausedMs;
  };
  const end = (stepId: string, ending: VisitEnding, at: number): Visit | undefined => {
    const visit = open.get(stepId);
    if (!visit) return undefined;
    open.delete(stepId);
    visit.firstActionAt ??= ending === 'reset' ? null : at;
    return Object.assign(visit, { to: at, ending });
  };
  for (const fact of facts) {
    switch (fact.type) {
      case 'step_activated': {
        const visit: Visit = {
          stepId: fact.stepId,
          activation: fact.activation,
          from: fact.at,
          to: null,
          ending: null,
          firstActionAt: isServers.get(fact.stepId) ? fact.at : null,
          dueAt: fact.dueAt,
          isReturned: fact.returned !== null,
          isUndone: false,
          doneBy: null,
        };
        run.visits.push(visit);
        open.set(fact.stepId, visit);
        run.bypassed.delete(fact.stepId);
        break;
      }
      case 'step_returned':
      case 'step_rejected':
        count(run.sentBack, fact.stepId);
        touch(open.get(fact.stepId), fact.at);
        break;
      case 'step_claimed':
      case 'step_submitted':
      case 'step_approved':
      case 'step_skip_agreed':
        touch(open.get(fact.stepId), fact.at);
        break;
      case 'step_completed': {
        const visit = end(fact.stepId, 'completed', fact.at);
        if (visit) visit.doneBy = fact.by;
        break;
      }
      case 'step_failed':
        end(fact.stepId, 'failed', fact.at);
        break;
      case 'step_skipped':
        if (fact.onward) end(fact.stepId, 'skipped', fact.at);
        else run.bypassed.add(fact.stepId);
        break;
      case 'step_reset':
        end(fact.stepId, 'reset', fact.at);
        run.bypassed.delete(fact.stepId);
        for (const visit of run.visits) if (visit.stepId === fact.stepId) visit.isUndone = true;
        break;
      case 'step_retried':
        run.ended = null;
        break;
      case 'run_paused':
        pausedSince = fact.at;
        break;
      case 'run_resumed':
        endPause(fact.at, fact.pausedMs);
        if (fact.deadline) run.dueAt = fact.deadline.dueAt;
        for (const [stepId, deadline] of Object.entries(fact.deadlines ?? {})) {
          const visit = open.get(stepId);
          if (visit) visit.dueAt = deadline.dueAt;
        }
        break;
      case 'run_completed':
        run.ended = { at: fact.at, as: 'completed' };
        break;
      case 'run_failed':
        run.ended = { at: fact.at, as: 'failed' };
        break;
      case 'run_cancelled':
        if (pausedSince !== null) endPause(fact.at, fact.at - pausedSince);
        run.ended = { at: fact.at, as: 'cancelled' };
        break;
      case 'step_handed_over':
        count(run.handedOver, fact.stepId);
        break;
      case 'run_started':
      case 'run_pause_escalated':
      case 'step_released':
      case 'run_priority_changed':
      case 'sla_at_risk':
      case 'sla_breached':
      case 'sla_reminded':
        break;
    }
  }
  return run;
}

const count = (counts: Map<string, number>, stepId: string): unknown =>
  counts.set(stepId, (counts.get(stepId) ?? 0) + 1);

function touch(visit: Visit | undefined, at: number): void {
  if (visit) visit.firstActionAt ??= at;
}

/** The four durations of a run or of a step, in milliseconds, without pauses. */
export type Durations = {
  /** The time from the beginning to the end. */
  calendar: number;
  /** The part within the organization's working hours; all of it if there are none. */
  working: number;
  /** The part in which nobody has acted yet; for a run, the part in which no step is handled. */
  waiting: number;
  /** The rest. */
  handling: number;
};
export const MEASURES = ['calendar', 'working', 'waiting', 'handling'] as const satisfies (keyof Durations)[];
export type Measure = (typeof MEASURES)[number];

/** Returns the durations of a visit; null unless the step was completed. */
export function visitDurations({ pauses }: TracedRun, visit: Visit, calendar: WorkCalendar | null): Durations | null {
  const { from, to, ending, firstActionAt } = visit;
  if (to === null || ending !== 'completed') return null;
  const total = without(pauses, [{ from, to }]);
  const waiting = lengthOf(without(pauses, [{ from, to: Math.min(firstActionAt ?? to, to) }]));
  return {
    calendar: lengthOf(total),
    working: workingLength(total, calendar),
    waiting,
    handling: lengthOf(total) - waiting,
  };
}

/**
 * Returns the durations of a run; null if it hasn't ended (`ended`). The run counts as handled while at least one of
 * its steps is handled.
 */
export function runDurations(run: TracedRun, calendar: WorkCalendar | null): Durations | null {
  const { startedAt, ended, pauses, visits } = run;
  if (!ended) return null;
  const total = without(pauses, [{ from: startedAt, to: ended.at }]);
  const handled = visits.flatMap(({ firstActionAt, to }) =>
    firstActionAt === null ? [] : [{ from: firstActionAt, to: Math.min(to ?? ended.at, ended.at) }],
  );
  const handling = lengthOf(without(pauses, joined(handled)));
  const length = lengthOf(total);
  return { calendar: length, working: workingLength(total, calendar), waiting: length - handling, handling };
}

/**
 * Returns whether an ended run met its SLA and those of its steps, by the same rule as the run's page. Of each step,
 * only the last activation counts, and not if it was reset. Null if the run hasn't ended, or if neither it nor these
 * activations have an SLA.
 */
export function keptSla({ dueAt, ended, visits }: TracedRun): boolean | null {
  if (!ended) return null;
  const last = [...new Map(visits.map((visit) => [visit.stepId, visit])).values()];
  const clocks = [
    { dueAt, to: ended.at },
    ...last.filter(({ isUndone }) => !isUndone).map((visit) => ({ dueAt: visit.dueAt, to: visit.to ?? ended.at })),
  ].filter((clock) => clock.dueAt !== null);
  return clocks.length === 0 ? null : clocks.every((clock) => clock.dueAt !== null && clock.to <= clock.dueAt);
}

const lengthOf = (spans: readonly Span[]): number => spans.reduce((sum, { from, to }) => sum + to - from, 0);

const workingLength = (spans: readonly Span[], calendar: WorkCalendar | null): number =>
  calendar ? spans.reduce((sum, { from, to }) => sum + workingMsBetween(calendar, from, to), 0) : lengthOf(spans);

/** Returns the union of spans, in order. */
function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = result.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else if (span.to > span.from) result.push({ ...span });
  }
  return result;
}

/** Returns the spans without the parts in pauses. Pauses are in order and don't overlap. */
function without(pauses: readonly Span[], spans: readonly Span[]): Span[] {
  let left = spans.filter(({ from, to }) => to > from);
  for (const pause of pauses)
    left = left.flatMap(({ from, to }) =>
      pause.to <= from || pause.from >= to
        ? [{ from, to }]
        : [
            { from, to: pause.from },
            { from: pause.to, to },
          ].filter((span) => span.to > span.from),
    );
  return left;
}
