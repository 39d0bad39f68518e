import { DAY_MS } from '../sla/duration.ts';
import type { RunFact } from '../runs/facts.ts';
import { type RunActor, isSamePerson } from '../runs/state.ts';
import type { Step } from '../steps/index.ts';
import { type RunTrace, type TracedRun, type Visit, traceRun } from './trace.ts';

/** The ways in which a run can deviate from its workflow, each at one step. */
export const DEVIATIONS = [
  /** A control was skipped: an approval, or a step whose input needs one. */
  'control_skipped',
  /** Another step was skipped by a person. */
  'step_skipped',
  /** An approval within `AT_ONCE_MS` of the moment when it became possible. */
  'approved_at_once',
  /** An approval by someone who did a step directly before it. */
  'own_work_approved',
  /** A decision with a mark: by itself, it doesn't prove that two people were involved. */
  'decision_marked',
  /** Done or decided by someone whom the step doesn't name. */
  'done_by_other',
  /** Completed without any of the files, photos or links that the step's form asks for. */
  'evidence_missing',
  /** Completed in more than `LONG_AFTER` times the step's SLA. */
  'done_long_after',
  /** Nobody reacted within `REACTION_MS` after the SLA was breached. */
  'no_reaction',
  /** Returned for the `RETURNED_OFTEN`th time. */
  'returned_often',
  /** Completed by a simulation instead of its script. */
  'simulated',
  /** Retried after a rejection by the people who were rejected. */
  'retried_alone',
] as const;
export type Deviation = (typeof DEVIATIONS)[number];

const AT_ONCE_MS = 10_000;
const LONG_AFTER = 2;
const REACTION_MS = DAY_MS;
const RETURNED_OFTEN = 3;

/** A deviation at one activation of a step. `at` is in epoch milliseconds. */
export type DeviationFinding = { kind: Deviation; stepId: string; activation: number; at: number };

/** Returns the deviations of a run that has ended, each kind at most once per activation, in chronological order. */
export function findingsOf(trace: RunTrace, run: TracedRun | null = traceRun(trace)): DeviationFinding[] {
  if (!run?.ended) return [];
  const found = new Map<string, DeviationFinding>();
  const steps = new Map(trace.steps.map((step) => [step.id, step]));
  const add = (kind: Deviation, { stepId, activation, at }: Omit<DeviationFinding, 'kind'>): void => {
    const id = JSON.stringify([kind, stepId, activation]);
    if (!found.has(id)) found.set(id, { kind, stepId, activation, at });
  };
  const sent = new Map<string, number>();
  for (const fact of trace.facts) {
    if (!('activation' in fact)) continue;
    const step = steps.get(fact.stepId);
    if (!step) continue;
    for (const kind of deviationsIn(fact, step, trace, run)) add(kind, fact);
    if (fact.type === 'step_returned' || (fact.type === 'step_activated' && fact.returned !== null)) {
      const times = (sent.get(fact.stepId) ?? 0) + 1;
      sent.set(fact.stepId, times);
      if (times === RETURNED_OFTEN) add('returned_often', fact);
    }
  }
  for (const visit of run.visits) {
    const { stepId, activation } = visit;
    const late = lateBy(visit);
    if (late && visit.ending === 'completed' && visit.to !== null && late.shareOfSla > LONG_AFTER)
      add('done_long_after', { stepId, activation, at: visit.to });
    if (late && !hasReaction(trace, run, visit, late.dueAt))
      add('no_reaction', { stepId, activation, at: late.dueAt + REACTION_MS });
  }
  return [...found.values()].toSorted((one, other) => one.at - other.at);
}

function deviationsIn(
  fact: Extract<RunFact, { activation: number }>,
  step: Step,
  trace: RunTrace,
  run: TracedRun,
): Deviation[] {
  switch (fact.type) {
    case 'step_skipped':
      if (!fact.onward) return [];
      return [isControl(step) ? 'control_skipped' : 'step_skipped', ...markedOrOther(fact)];
    case 'step_skip_agreed':
      return markedOrOther(fact);
    case 'step_approved': {
      const opened = openedAt(fact, trace.facts);
      return [
        ...markedOrOther(fact),
        ...(opened !== null && fact.at - opened <= AT_ONCE_MS ? (['approved_at_once'] as const) : []),
        ...(step.type === 'approval' && isOwnWork(step.id, fact.at, fact.by, trace.steps, run)
          ? (['own_work_approved'] as const)
          : []),
      ];
    }
    case 'step_submitted':
      return markedOrOther(fact);
    case 'step_completed':
      return [
        ...(fact.actsFor ? (['done_by_other'] as const) : []),
        ...(lacksEvidence(step, fact.output) ? (['evidence_missing'] as const) : []),
        ...(fact.report?.kind === 'automated' && fact.report.simulated ? (['simulated'] as const) : []),
      ];
    case 'step_retried':
      return fact.retriedAlone ? ['retried_alone'] : [];
    default:
      return [];
  }
}

function markedOrOther({ marks, actsFor }: { marks?: readonly unknown[]; actsFor?: unknown }): Deviation[] {
  return [
    ...(marks && marks.length > 0 ? (['decision_marked'] as const) : []),
    ...(actsFor ? (['done_by_other'] as const) : []),
  ];
}

const isControl = (step: Step): boolean =>
  step.type === 'approval' || (step.type === 'manual' && step.config.requiresApproval === true);

/** Returns when an approval became possible: when the input was submitted, or else when the step became active. */
function openedAt(vote: Extract<RunFact, { type: 'step_approved' }>, facts: readonly RunFact[]): number | null {
  let at: number | null = null;
  for (const fact of facts) {
    if (fact === vote) return at;
    if (!('activation' in fact) || fact.stepId !== vote.stepId || fact.activation !== vote.activation) continue;
    if (fact.type === 'step_activated' || fact.type === 'step_submitted') at = fact.at;
  }
  return at;
}

function isOwnWork(stepId: string, at: number, by: RunActor, steps: readonly Step[], run: TracedRun): boolean {
  const before = new Set(steps.filter(({ next }) => next.includes(stepId)).map(({ id }) => id));
  const last = new Map<string, Visit>();
  for (const visit of run.visits)
    if (before.has(visit.stepId) && visit.to !== null && visit.to <= at) last.set(visit.stepId, visit);
  return [...last.values()].some(({ doneBy }) => doneBy !== null && isSamePerson(doneBy, by));
}

/** True if the form asks for evidence and none was given. */
function lacksEvidence(step: Step, output: unknown): boolean {
  if (step.type !== 'manual') return false;
  const asked = (step.config.fields ?? []).filter(
    ({ kind }) => kind === 'file' || kind === 'photo' || kind === 'file_link',
  );
  if (asked.length === 0) return false;
  const fields = (output as { fields?: Record<string, unknown> | null } | null)?.fields ?? {};
  return asked.every(({ id }) => isBlank(Object.hasOwn(fields, id) ? fields[id] : undefined));
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/**
 * Returns how late a visit is, or may be if it hasn't ended; null if it was in time or has no SLA. A visit that was
 * reset isn't late.
 */
function lateBy({ from, to, dueAt, ending }: Visit): { dueAt: number; shareOfSla: number } | null {
  if (dueAt === null || ending === 'reset') return null;
  if (to !== null && to <= dueAt) return null;
  return { dueAt, shareOfSla: to === null || dueAt <= from ? 1 : (to - from) / (dueAt - from) };
}

/** The facts by which people react to a late step. */
const REACTIONS: ReadonlySet<RunFact['type']> = new Set([
  'step_submitted',
  'step_returned',
  'step_approved',
  'step_rejected',
  'step_completed',
  'step_skip_agreed',
  'step_skipped',
  'step_claimed',
  'step_released',
  'step_handed_over',
  'run_paused',
  'run_resumed',
  'run_priority_changed',
]);

/**
 * True if, within `REACTION_MS` after the due time, someone acted on the late step or its whole run or wrote a note, or
 * the step or the run ended.
 */
function hasReaction({ facts, notes }: RunTrace, run: TracedRun, { stepId, to }: Visit, dueAt: number): boolean {
  const until = dueAt + REACTION_MS;
  const end = to ?? run.ended?.at ?? until;
  if (end <= until) return true;
  const isIn = (at: number): boolean => at > dueAt && at <= until;
  const concerns = (id: string | null | undefined): boolean => id === undefined || id === null || id === stepId;
  return (
    notes.some((note) => isIn(note.at) && concerns(note.stepId)) ||
    facts.some(
      (fact) => isIn(fact.at) && REACTIONS.has(fact.type) && concerns('stepId' in fact ? fact.stepId : undefined),
    )
  );
}
