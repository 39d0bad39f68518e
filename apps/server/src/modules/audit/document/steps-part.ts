import type { ActsFor } from '@stet/domain/access';
import { exactDuration } from '@stet/presentation/duration-in-words';
import {
  type DecisionMark,
  type RunActor,
  type RunState,
  type StepState,
  actorInWords,
  displayStates,
  clocksEndOf,
  decisionMarkWords,
  giversIn,
  slaStatus,
  stepStateOf,
} from '@stet/domain/runs';
import type { Step } from '@stet/domain/steps';
import type { Block, Cell, Pdf } from '../../../kernel/pdf.ts';
import type { TrailRun } from '../trail.ts';
import { NONE, STATE_INK, type Times, capital, personBlocks, verdictBlock } from './words.ts';

/**
 * Writes the steps of a run in the order of the workflow, with state, actors, times, and duration compared with the
 * SLA. Unfinished steps are evaluated as of `now`.
 */
export async function writeSteps(pdf: Pdf, run: TrailRun, now: number, times: Times): Promise<void> {
  const workflow = { steps: run.ofVersion.steps };
  const shown = new Map(displayStates(workflow, run.state).map(({ stepId, state }) => [stepId, state]));
  const verdicts = new Map(slaStatus(workflow, run.state, now).map(({ stepId, state }) => [stepId, state]));

  const table = await pdf.table([
    { head: '#', share: 12, align: 'right' },
    { head: 'Step', share: 104 },
    { head: 'State', share: 45 },
    { head: 'Actor', share: 84 },
    { head: 'Activated, ended', share: 99 },
    { head: 'Elapsed, SLA', share: 60, align: 'right' },
    { head: 'Verdict', share: 41 },
  ]);
  for (const [n, step] of workflow.steps.entries()) {
    const state = stepStateOf(run.state, step.id);
    const display = shown.get(step.id) ?? 'blocked';
    const clock = clockOf(state, stoppedAt(run.state, now));
    const isOpen = state?.state === 'active';
    await table.row([
      { text: String(n + 1), style: 'body', ink: 'meta' },
      [
        { text: step.title, style: 'name' },
        { text: `${capital(step.type)}, assigned to ${step.assignee}`, style: 'small' },
      ],
      isSimulatedEnd(state)
        ? { text: 'Simulated', style: 'body', ink: 'warn' }
        : { text: capital(display), style: 'body', ink: STATE_INK[display] },
      actorsOf(state),
      clock
        ? [
            ...times.blocks(clock.activatedAt),
            ...(isOpen ? [{ text: 'still open', style: 'small' } as const] : times.blocks(clock.endedAt)),
          ]
        : state?.state === 'skipped'
          ? [NONE, ...times.blocks(state.skippedAt)]
          : NONE,
      clock
        ? [
            { text: exactDuration(clock.elapsedMs), style: 'code', ink: 'text' },
            clock.slaMs === null
              ? { text: step.sla === '' ? 'no SLA' : `no clock: “${step.sla}”`, style: 'small' }
              : { text: `of ${exactDuration(clock.slaMs)}`, style: 'code', ink: 'meta' },
          ]
        : { text: step.sla === '' ? 'no SLA' : step.sla, style: 'small' },
      clock ? verdictBlock(verdicts.get(step.id) ?? null) : NONE,
    ]);
  }
}

/** True if a step's execution was only simulated, which the document has to show. */
const isSimulatedEnd = (state: StepState | undefined): boolean =>
  state?.state === 'completed' && state.report?.kind === 'automated' && state.report.simulated;

const markBlocks = (marks: readonly DecisionMark[], addedBy?: string): Block[] =>
  marks.length > 0 ? [{ text: decisionMarkWords(marks, addedBy), style: 'small', ink: 'warn' }] : [];

/** A person with the marks on their action. */
type Act = { by: RunActor; actsFor?: ActsFor; marks?: readonly DecisionMark[]; addedBy?: string };
const giverBlocks = (givers: readonly RunActor[]): Block[] =>
  givers.length > 0 ? [{ text: `handed over by ${givers.map(actorInWords).join(', ')}`, style: 'small' }] : [];
const actorBlocks = ({ by, actsFor, marks = [], addedBy }: Act): Block[] => [
  ...personBlocks(by),
  ...(actsFor
    ? [{ text: actsFor === 'helper' ? 'helped' : 'for the assignees', style: 'small', ink: 'warn' } as const]
    : []),
  ...markBlocks(marks, addedBy),
];

/**
 * The people shown for a step: those who completed it, have approved it so far or agreed to skip it and, once it has
 * ended, those who handed it over.
 */
function actorsOf(state: StepState | undefined): Cell {
  switch (state?.state) {
    case 'completed':
      return [
        ...(state.votes.some(({ by }) => by.id === state.by.id) ? [] : actorBlocks(state)),
        ...giverBlocks(giversIn(state)),
        ...state.votes.toReversed().flatMap(actorBlocks),
      ];
    case 'skipped':
      return [
        ...(state.hands ?? [state.by]).flatMap(personBlocks),
        ...giverBlocks(giversIn(state)),
        ...markBlocks(state.marks ?? []),
      ];
    case 'active':
      return state.votes.length > 0 ? state.votes.flatMap(actorBlocks) : NONE;
    case 'failed':
    case 'waiting':
    case undefined:
      return NONE;
  }
}

type StepClock = { activatedAt: number; endedAt: number; elapsedMs: number; slaMs: number | null };

/**
 * Evaluates the clock of a step when the step ended, or at `at` if the step is still open. Pauses don't count. Null if
 * the step was never active.
 */
function clockOf(state: StepState | undefined, at: number): StepClock | null {
  if (!state || state.state === 'waiting') return null;
  const began = state.state === 'skipped' ? state.clock : state;
  if (!began) return null;
  const endedAt = endOfStep(state) ?? at;
  const { activatedAt, dueAt, pausedMs } = began;
  return {
    activatedAt,
    endedAt,
    elapsedMs: Math.max(0, endedAt - activatedAt - pausedMs),
    slaMs: dueAt === null ? null : dueAt - activatedAt - pausedMs,
  };
}

function endOfStep(state: StepState): number | null {
  switch (state.state) {
    case 'completed':
      return state.completedAt;
    case 'skipped':
      return state.skippedAt;
    case 'failed':
      return state.failedAt;
    case 'active':
    case 'waiting':
      return null;
  }
}

function stoppedAt(run: RunState, now: number): number {
  return run.status === 'paused' ? run.pausedSince : (clocksEndOf(run) ?? now);
}

export const stepsById = (steps: readonly Step[]): ReadonlyMap<string, Step> =>
  new Map(steps.map((step) => [step.id, step]));
