import { checkFieldValues } from '../workflows/input-fields.ts';
import { STEP_DEFAULTS } from '../workflows/step-defaults.ts';
import type { ApprovalStep, ManualStep, Step } from '../workflows/step.ts';
import { advance, returnTo } from './advance.ts';
import type { PersonCommand } from './commands.ts';
import { actableStep } from './guards.ts';
import { accept, type Ledger, refuse, type RunDecision } from './ledger.ts';
import type { RunRefusal } from './refusals.ts';
import {
  type ActiveStep,
  type Json,
  type JsonObject,
  type RunState,
  type RunWorkflow,
  personBehind,
  stepStateOf,
} from './state.ts';
import { recordFailure } from './system-steps.ts';

type Command<T extends PersonCommand['type']> = Extract<PersonCommand, { type: T }>;

/**
 * Manual: completes it, or submits its input where that needs approval; values of its form are under `output.fields` by the
 * field's id. Approval: a vote for it.
 */
export function completeStep(ledger: Ledger, state: RunState, command: Command<'complete'>): RunDecision {
  const found = actableStep(ledger, state, command.stepId);
  if (!found.ok) return refuse(found.refusal);
  const { step, active } = found;
  const text = trimmed(command.output?.['text']);
  const notes = trimmed(command.notes) || null;
  if (step.type === 'approval') return vote(ledger, state, step, active, text || notes);
  if (step.type !== 'manual') return refuse(notForPersons(step));
  if (active.submitted) return refuse({ code: 'already_submitted', stepId: step.id });
  const refusal = refusalOfInput(step, command.output, text);
  if (refusal) return refuse(refusal);
  const done = { stepId: step.id, activation: active.activation, output: { ...command.output, text }, notes };
  if (step.config.requiresApproval) {
    ledger.record({ type: 'step_submitted', ...done });
    return accept(ledger);
  }
  ledger.record({ type: 'step_completed', ...done, report: null });
  advance(ledger, step.id);
  return accept(ledger);
}

/**
 * Of any active step. The run goes on behind it as if it were done; behind a condition on all its branches. Refused to whoever
 * may not decide on an approval, or on input that was submitted: skipping it would decide it all the same.
 */
export function skipStep(ledger: Ledger, state: RunState, command: Command<'skip'>): RunDecision {
  const found = actableStep(ledger, state, command.stepId);
  if (!found.ok) return refuse(found.refusal);
  const refusal = refusalOfSkip(
    found.step,
    found.active,
    (step) => refusalOfVote(ledger, state, step, found.active),
    personBehind(ledger.by),
  );
  if (refusal) return refuse(refusal);
  const { activation } = found.active;
  const reason = trimmed(command.reason) || null;
  ledger.record({ type: 'step_skipped', stepId: found.step.id, activation, reason, onward: true });
  advance(ledger, found.step.id);
  return accept(ledger);
}

/** Approval: a vote for it. Manual: approves input that someone else submitted, which completes the step. */
export function approveStep(ledger: Ledger, state: RunState, command: Command<'approve'>): RunDecision {
  const found = actableStep(ledger, state, command.stepId);
  if (!found.ok) return refuse(found.refusal);
  const { step, active } = found;
  const comments = trimmed(command.comments) || null;
  if (step.type === 'approval') return vote(ledger, state, step, active, comments);
  const refusal = refusalOfSubmission(ledger, step, active);
  if (refusal || !active.submitted) return refuse(refusal ?? { code: 'not_submitted', stepId: step.id });
  const { output, notes } = active.submitted;
  const { activation } = active;
  ledger.record({ type: 'step_approved', stepId: step.id, activation, comments, votes: 1, required: 1 });
  ledger.record({ type: 'step_completed', stepId: step.id, activation, output, notes, report: null });
  advance(ledger, step.id);
  return accept(ledger);
}

/**
 * Approval: takes the run back to `onReject`, or fails it where there is none. Manual: returns the input that someone else
 * submitted; the step stays active. Needs comments ('Comments are required when rejecting').
 */
export function rejectStep(ledger: Ledger, state: RunState, command: Command<'reject'>): RunDecision {
  const found = actableStep(ledger, state, command.stepId);
  if (!found.ok) return refuse(found.refusal);
  const { step, active } = found;
  const refusal =
    step.type === 'approval' ? refusalOfVote(ledger, state, step, active) : refusalOfSubmission(ledger, step, active);
  if (refusal) return refuse(refusal);
  const comments = command.comments.trim();
  if (comments === '') return refuse({ code: 'comments_required', stepId: step.id });
  const of = { stepId: step.id, activation: active.activation };
  if (step.type !== 'approval') {
    const submitter = active.submitted?.by;
    ledger.record({
      type: 'step_returned',
      ...of,
      comments,
      ...(submitter && { submitterId: personBehind(submitter) }),
    });
    return accept(ledger);
  }
  const returnsTo = step.config.onReject || null;
  ledger.record({ type: 'step_rejected', ...of, comments, returnsTo });
  if (returnsTo) returnTo(ledger, returnsTo, { by: ledger.by, at: ledger.at, comments });
  else recordFailure(ledger, of, `Rejected by ${ledger.by.name}: ${comments}`);
  return accept(ledger);
}

function vote(
  ledger: Ledger,
  state: RunState,
  step: ApprovalStep,
  active: ActiveStep,
  comments: string | null,
): RunDecision {
  const refusal = refusalOfVote(ledger, state, step, active);
  if (refusal) return refuse(refusal);
  const { activation } = active;
  const votes = [...active.votes, { by: ledger.by, comments }];
  const required = requiredVotes(step);
  ledger.record({ type: 'step_approved', stepId: step.id, activation, comments, votes: votes.length, required });
  if (votes.length < required) return accept(ledger);
  const text = votes.flatMap((each) => each.comments ?? []).join('\n');
  const output = { approved: true, approvers: votes.map((each) => each.by.name), text };
  ledger.record({ type: 'step_completed', stepId: step.id, activation, output, notes: null, report: null });
  advance(ledger, step.id);
  return accept(ledger);
}

/** How many people have to approve; at least 1. */
export function requiredVotes(step: ApprovalStep): number {
  return Math.max(1, Math.trunc(step.config.minimumApprovers ?? STEP_DEFAULTS.approval.config.minimumApprovers) || 1);
}

function refusalOfVote(ledger: Ledger, state: RunState, step: ApprovalStep, active: ActiveStep): RunRefusal | null {
  return whyNoVote({ step, active, state, before: ledger.graph.previous(step.id), personId: personBehind(ledger.by) });
}

/** Why a run's own history keeps a person from voting on an active approval step; null where it doesn't. */
export function voteRefusal(
  { steps }: RunWorkflow,
  state: RunState,
  step: ApprovalStep,
  personId: string,
): RunRefusal | null {
  const active = stepStateOf(state, step.id);
  if (active?.state !== 'active') return null;
  const before = steps.filter(({ next }) => next.includes(step.id)).map(({ id }) => id);
  return whyNoVote({ step, active, state, before, personId });
}

/** Why a run's own history keeps a person from skipping an active step; null where it doesn't. */
export function skipRefusal(workflow: RunWorkflow, state: RunState, step: Step, personId: string): RunRefusal | null {
  const active = stepStateOf(state, step.id);
  if (active?.state !== 'active') return null;
  return refusalOfSkip(step, active, (approval) => voteRefusal(workflow, state, approval, personId), personId);
}

function refusalOfSkip(
  step: Step,
  active: ActiveStep,
  refusalOfVoting: (step: ApprovalStep) => RunRefusal | null,
  personId: string,
): RunRefusal | null {
  if (step.type === 'approval') return refusalOfVoting(step);
  return active.submitted && personBehind(active.submitted.by) === personId
    ? { code: 'own_submission', stepId: step.id }
    : null;
}

type Voting = { step: ApprovalStep; active: ActiveStep; state: RunState; before: readonly string[]; personId: string };

function whyNoVote({ step, active, state, before: previous, personId: me }: Voting): RunRefusal | null {
  if (active.votes.some((each) => personBehind(each.by) === me)) return { code: 'already_voted', stepId: step.id };
  if (!step.config.separateFrom) return null;
  for (const completedStepId of previous) {
    const before = stepStateOf(state, completedStepId);
    if (before?.state !== 'completed') continue;
    // All who had a hand in it: whoever gave the input, approved it, or voted.
    const hands = [
      before.by,
      ...before.votes.map((each) => each.by),
      ...(before.submitted ? [before.submitted.by] : []),
    ];
    if (hands.some((by) => personBehind(by) === me)) return { code: 'separate_from', stepId: step.id, completedStepId };
  }
  return null;
}

function refusalOfSubmission(ledger: Ledger, step: Exclude<Step, ApprovalStep>, active: ActiveStep): RunRefusal | null {
  if (!isManual(step)) return notForPersons(step);
  if (!active.submitted) return { code: 'not_submitted', stepId: step.id };
  return personBehind(active.submitted.by) === personBehind(ledger.by)
    ? { code: 'own_submission', stepId: step.id }
    : null;
}

function isManual(step: Step): step is ManualStep {
  return step.type === 'manual';
}

function notForPersons(step: Step): RunRefusal {
  return { code: 'not_a_person_step', stepId: step.id, type: step.type };
}

/** A form is the input where a step has one; the text may be left empty then. */
function refusalOfInput(step: ManualStep, output: JsonObject | undefined, text: string): RunRefusal | null {
  const { fields = [] } = step.config;
  const given = output?.['fields'] ?? {};
  if (!isJsonObject(given)) {
    return {
      code: 'invalid_fields',
      stepId: step.id,
      problems: [
        { fieldId: 'fields', problem: 'The values of the form have to be an object, by the names of its fields' },
      ],
    };
  }
  const problems = checkFieldValues(fields, given);
  if (problems.length > 0) return { code: 'invalid_fields', stepId: step.id, problems };
  return fields.length === 0 && text === '' ? { code: 'input_required', stepId: step.id } : null;
}

function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function trimmed(text: Json | undefined): string {
  return typeof text === 'string' ? text.trim() : '';
}
