import fc from 'fast-check';
import type { Step } from '../steps/index.ts';
import { type JsonObject, type RunState, stepStateOf } from './state.ts';
import { ran, decided, sent } from './run.scenario.ts';
import { AMOUNT } from '../workflows/workflow.arbitrary.ts';
import type { RunCommand } from './commands.ts';
import { currentStepIds } from './display.ts';

/** Test support: an intended command of a person or a job, for any run. */
export type IntendedCommand = {
  kind: string;
  pick: number;
  who: string;
  /** The person for whom the actor acts, if the command can be delegated. */
  onBehalfOf: string | null;
  minutes: number;
  value: boolean;
  isStale: boolean;
  isAnywhere: boolean;
};

// Suitable commands are the most frequent, because random sequences rarely advance a run.
const kinds = [
  'onward',
  'onward',
  'onward',
  'onward',
  'onward',
  'onward',
  'complete',
  'approve',
  'reject',
  'reject',
  'skip',
];
export const intendedCommand: fc.Arbitrary<IntendedCommand> = fc.record({
  kind: fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...kinds) },
    {
      weight: 5,
      arbitrary: fc.constantFrom(
        'fail_step',
        'pause',
        'retry',
        'resume',
        'finish_automated',
        'finish_notification',
        'watch_clocks',
        'set_priority',
        'decide_condition',
        'complete',
        'approve',
        'start',
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom('cancel') },
  ),
  pick: fc.nat(20),
  who: fc.constantFrom('ann', 'bob', 'cem', 'dee'),
  onBehalfOf: fc.option(fc.constantFrom('ann', 'bob', 'cem', 'dee', 'eve'), { nil: null, freq: 3 }),
  minutes: fc.integer({ min: -3, max: 90 }),
  value: fc.boolean(),
  isStale: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  isAnywhere: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
});

/** Returns valid input for any manual step, with or without a form. */
function given(steps: readonly Step[], stepId: string): RunCommand {
  const step = steps.find(({ id }) => id === stepId);
  const hasForm = step?.type === 'manual' && (step.config.fields ?? []).length > 0;
  return { type: 'complete', stepId, output: { text: 'done', ...(hasForm && { fields: { [AMOUNT.id]: 3 } }) } };
}

/** Input that is valid for some manual steps, or for none. */
const LACKING: readonly (JsonObject | undefined)[] = [
  undefined,
  { text: ' ' },
  { text: 'no form' },
  { text: 'bad form', fields: { [AMOUNT.id]: 'many' } },
  { fields: { [AMOUNT.id]: 0 } },
  { text: 'more than the form', fields: { [AMOUNT.id]: 1, other: 2 } },
  { text: 'no object', fields: [] },
  { text: 'no object', fields: [3] },
  { text: 'no object', fields: 'text' },
  { text: 'no object', fields: 3 },
  { text: 'no object', fields: true },
  { text: 'a name of every object', fields: { [AMOUNT.id]: 1, constructor: 2 } },
  { text: 'nothing given', fields: null },
  { text: 'another name', fields: { other: 1 } },
];

/** Turns an intended command into a command on a step, usually on an active one. */
export function commandOf(steps: readonly Step[], state: RunState, intended: IntendedCommand): RunCommand {
  const { kind, pick, value } = intended;
  const active = intended.isAnywhere ? [] : currentStepIds({ steps }, state);
  const pool = active.length > 0 ? active : steps.map((step) => step.id);
  const stepId = pool[pick % pool.length] ?? '';
  const activation = (stepStateOf(state, stepId)?.activation ?? 0) + (intended.isStale ? 1 : 0);
  switch (kind) {
    case 'onward':
      return onwardCommand(steps, state, stepId, activation, value);
    case 'complete':
      return value ? given(steps, stepId) : { type: 'complete', stepId, output: LACKING[pick % LACKING.length] };
    case 'approve':
      return { type: 'approve', stepId, comments: value ? 'fine' : null };
    case 'reject':
      return { type: 'reject', stepId, comments: intended.isStale ? ' ' : 'again' };
    case 'skip':
      return { type: kind, stepId, reason: intended.isStale ? ' ' : 'not needed' };
    case 'retry':
      return { type: kind, stepId, othersCan: value };
    case 'fail_step':
      return { type: kind, stepId, activation, reason: 'broken' };
    case 'finish_automated':
      return { ...ran(stepId, 1), activation };
    case 'finish_notification':
      return { ...sent(stepId, value ? [] : ['x@example.com']), activation };
    case 'decide_condition':
      return { ...decided(stepId, value), activation };
    case 'cancel':
      return { type: kind, reason: intended.isStale ? ' ' : 'enough' };
    case 'watch_clocks':
      return { type: kind, againAfterMs: value ? 3_600_000 : null };
    case 'set_priority':
      return { type: kind, from: 'medium', to: value ? 'high' : 'medium' };
    case 'pause':
      return { type: kind, reason: value ? 'lunch' : null };
    case 'start':
      return { type: kind };
    default:
      return { type: 'resume' };
  }
}

/** Returns a command that advances the run. */
export function onwardCommand(
  steps: readonly Step[],
  state: RunState,
  stepId: string,
  activation: number,
  result: boolean,
): RunCommand {
  if (state.status === 'paused') return { type: 'resume' };
  if (state.status === 'failed') return { type: 'retry', stepId: state.stepId };
  const step = stepStateOf(state, stepId);
  const type = steps.find(({ id }) => id === stepId)?.type;
  if (type === 'automated') {
    const report = { kind: 'automated', simulated: true, reportedMs: 5 } as const;
    return { ...ran(stepId, { n: 1 }), activation, report };
  }
  if (type === 'condition') return { ...decided(stepId, result), activation };
  if (type === 'notification') return { ...sent(stepId, []), activation };
  if (type === 'approval' || (step?.state === 'active' && step.submitted)) return { type: 'approve', stepId };
  return given(steps, stepId);
}
