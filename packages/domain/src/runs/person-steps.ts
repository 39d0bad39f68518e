import { checkFieldValues } from '../workflows/input-fields.ts';
import { STEP_DEFAULTS } from '../workflows/step-defaults.ts';
import type { ApprovalStep, ManualStep, Step } from '../workflows/step.ts';
import { graphOf, type StepGraph } from '../workflows/graph.ts';
import { advance, returnTo } from './advance.ts';
import type { PersonCommand } from './commands.ts';
import { actableStep } from './guards.ts';
import { accept, type Ledger, refuse, type RunDecision } from './ledger.ts';
import { lastPeopleBefore } from './people.ts';
import type { RunRefusal } from './refusals.ts';
import {
  type ActiveStep,
  type Json,
  type JsonObject,
  type RunActor,
  type RunState,
  type RunWorkflow,
  isSamePerson,
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
  const of = { stepId: step.id, activation: active.activation, ...ledger.acting };
  const done = { ...of, output: { ...command.output, text }, notes };
  if (step.config.requiresApproval) {
    ledger.record({ type: 'step_submitted', ...done });
    return accept(ledger);
  }
  ledger.record({ type: 'step_completed', ...done, report: null });
  advance(ledger, step.id);
  return accept(ledger);
}

/**
 * Agrees to skip an active step, for a reason. Once as many people have agreed as the step needs (`skipVotesNeeded`), the run goes
 * on behind it as if it were done; behind a condition on all its branches. An approval is skipped by those who may decide it.
 */
export function skipStep(ledger: Ledger, state: RunState, command: Command<'skip'>): RunDecision {
  const found = actableStep(ledger, state, command.stepId);
  if (!found.ok) return refuse(found.refusal);
  const { step, active } = found;
  const refusal = whyNoSkip({ step, active, state, graph: ledger.graph, by: ledger.by });
  if (refusal) return refuse(refusal);
  const of = { stepId: step.id, activation: active.activation };
  const reason = trimmed(command.reason);
  if (reason === '') return refuse({ code: 'reason_required', stepId: step.id });
  const required = skipVotesNeeded(step);
  const votes = (active.skipVotes?.length ?? 0) + 1;
  if (required > 1) ledger.record({ type: 'step_skip_agreed', ...of, ...ledger.acting, reason, votes, required });
  if (votes < required) return accept(ledger);
  ledger.record({ type: 'step_skipped', ...of, ...ledger.acting, reason, onward: true });
  advance(ledger, step.id);
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
  const of = { stepId: step.id, activation: active.activation, ...ledger.acting };
  ledger.record({ type: 'step_approved', ...of, comments, votes: 1, required: 1 });
  ledger.record({ type: 'step_completed', ...of, output, notes, report: null });
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
    step.type === 'approval'
      ? whyNoVote({ step, active, state, graph: ledger.graph, by: ledger.by })
      : refusalOfSubmission(ledger, step, active);
  if (refusal) return refuse(refusal);
  const comments = command.comments.trim();
  if (comments === '') return refuse({ code: 'comments_required', stepId: step.id });
  const of = { stepId: step.id, activation: active.activation };
  if (step.type !== 'approval') {
    const submitter = active.submitted?.by;
    ledger.record({
      type: 'step_returned',
      ...of,
      ...ledger.acting,
      comments,
      ...(submitter && { submitterId: personBehind(submitter) }),
    });
    return accept(ledger);
  }
  const returnsTo = step.config.onReject || null;
  ledger.record({ type: 'step_rejected', ...of, ...ledger.acting, comments, returnsTo });
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
  const refusal = whyNoVote({ step, active, state, graph: ledger.graph, by: ledger.by });
  if (refusal) return refuse(refusal);
  if (ledger.acting.actsFor && comments === null) return refuse({ code: 'stand_in_reason_required', stepId: step.id });
  const of = { stepId: step.id, activation: active.activation };
  const votes = [...active.votes, { by: ledger.by, comments }];
  const required = requiredVotes(step);
  ledger.record({ type: 'step_approved', ...of, ...ledger.acting, comments, votes: votes.length, required });
  if (votes.length < required) return accept(ledger);
  const text = votes.flatMap((each) => each.comments ?? []).join('\n');
  const output = { approved: true, approvers: votes.map((each) => each.by.name), text };
  ledger.record({ type: 'step_completed', ...of, output, notes: null, report: null });
  advance(ledger, step.id);
  return accept(ledger);
}

/** How many people have to approve; at least 1. */
export function requiredVotes(step: ApprovalStep): number {
  return Math.max(1, Math.trunc(step.config.minimumApprovers ?? STEP_DEFAULTS.approval.config.minimumApprovers) || 1);
}

/**
 * How many people have to agree before a step is skipped (rulings, section 12): as many as an approval takes; two for a manual step
 * whose input needs approval; else one.
 */
export function skipVotesNeeded(step: Step): number {
  if (step.type === 'approval') return requiredVotes(step);
  return step.type === 'manual' && step.config.requiresApproval ? 2 : 1;
}

/** True for an act that takes a second person: a vote, a verdict on another's input, or a skip of a step that has either. */
export function isDecision(step: Step, act: 'complete' | 'approve' | 'reject' | 'skip'): boolean {
  if (step.type === 'approval' || act === 'approve' || act === 'reject') return true;
  return act === 'skip' && step.type === 'manual' && step.config.requiresApproval === true;
}

/** Why a run's own history keeps a person from voting on an active approval step; null where it doesn't. */
export function voteRefusal(
  workflow: RunWorkflow,
  state: RunState,
  step: ApprovalStep,
  by: RunActor,
): RunRefusal | null {
  const active = stepStateOf(state, step.id);
  return active?.state === 'active' ? whyNoVote({ step, active, state, graph: graphOf(workflow.steps), by }) : null;
}

/** Why a run's own history keeps a person from agreeing to skip an active step; null where it doesn't. */
export function skipRefusal(workflow: RunWorkflow, state: RunState, step: Step, by: RunActor): RunRefusal | null {
  const active = stepStateOf(state, step.id);
  return active?.state === 'active' ? whyNoSkip({ step, active, state, graph: graphOf(workflow.steps), by }) : null;
}

type Voting<S extends Step> = { step: S; active: ActiveStep; state: RunState; graph: StepGraph; by: RunActor };

function whyNoSkip({ step, active, state, graph, by }: Voting<Step>): RunRefusal | null {
  const { skipVotes = [], submitted } = active;
  if (skipVotes.some((vote) => isSamePerson(vote.by, by))) {
    return { code: 'already_agreed', stepId: step.id, votes: skipVotes.length, required: skipVotesNeeded(step) };
  }
  if (step.type === 'approval') return whyNoVote({ step, active, state, graph, by });
  // Whoever gave the input may ask to skip it; someone who could approve it has to agree.
  const voters = [...skipVotes.map((vote) => vote.by), by];
  const isOwn = submitted !== null && voters.every((voter) => isSamePerson(voter, submitted.by));
  return isOwn && voters.length >= skipVotesNeeded(step) ? { code: 'own_submission', stepId: step.id } : null;
}

function whyNoVote({ step, active, state, graph, by }: Voting<ApprovalStep>): RunRefusal | null {
  if (active.votes.some((vote) => isSamePerson(vote.by, by))) return { code: 'already_voted', stepId: step.id };
  if (!step.config.separateFrom) return null;
  const hand = lastPeopleBefore(graph, state, step.id).find((last) => isSamePerson(last.by, by));
  return hand ? { code: 'separate_from', stepId: step.id, completedStepId: hand.stepId } : null;
}

function refusalOfSubmission(ledger: Ledger, step: Exclude<Step, ApprovalStep>, active: ActiveStep): RunRefusal | null {
  if (!isManual(step)) return notForPersons(step);
  if (!active.submitted) return { code: 'not_submitted', stepId: step.id };
  return isSamePerson(active.submitted.by, ledger.by) ? { code: 'own_submission', stepId: step.id } : null;
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
