import { isFieldRequired } from '../expressions/required-if.ts';
import { checkFieldValues, STEP_KINDS, type ApprovalStep, type ManualStep, type Step } from '../steps/index.ts';
import { graphOfVersion, type StepGraph } from '../workflows/graph.ts';
import {
  type ActiveStep,
  type Json,
  type JsonObject,
  type RunActor,
  type ProofsNow,
  type RunState,
  type RunWorkflow,
  actorInWords,
  isSamePerson,
  isUnprovedTie,
  personBehind,
  stepStateOf,
} from './state.ts';
import { advance, returnTo } from './advance.ts';
import type { PersonCommand } from './commands.ts';
import { type DecidingAct, approvalMarkOf, decisionMarks, stepsToRedo } from './decision-marks.ts';
import { actableStep } from './guards.ts';
import { actorOn, givenPlaces, givenTo, holdersOf } from './hand-over.ts';
import { accept, type Added, type Ledger, refuse, type RunDecision } from './ledger.ts';
import type { DecisionMark } from './mark-words.ts';
import { barringHands } from './people.ts';
import type { RunRefusal } from './refusals.ts';
import { recordFailure } from './system-steps.ts';

type Command<T extends PersonCommand['type']> = Extract<PersonCommand, { type: T }>;

/**
 * Manual step: completes it, or submits its input if that needs approval. Form values are in `output.fields` by field
 * id. Approval step: votes for it.
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
  const done = { output: { ...command.output, text }, notes, ...of, ...givenTo(active, ledger.by) };
  if (step.config.requiresApproval) {
    ledger.record({ type: 'step_submitted', ...done });
    return accept(ledger);
  }
  ledger.record({ type: 'step_completed', ...done, report: null });
  advance(ledger, step.id);
  return accept(ledger);
}

/**
 * Agrees to skip an active step, with a reason. Once enough people have agreed (`skipVotesNeeded`), the run continues
 * as if the step were done; after a condition, on all its branches. Only people who may decide an approval may skip it.
 * Nobody may skip a step with `skip: never`.
 */
export function skipStep(ledger: Ledger, state: RunState, command: Command<'skip'>): RunDecision {
  const found = actableStep(ledger, state, command.stepId);
  if (!found.ok) return refuse(found.refusal);
  const { step, active } = found;
  const refusal = whyNoSkip({ step, active, state, graph: ledger.graph, by: ledger.actor });
  if (refusal) return refuse(refusal);
  const of = { stepId: step.id, activation: active.activation };
  const reason = trimmed(command.reason);
  if (reason === '') return refuse({ code: 'reason_required', stepId: step.id });
  const required = skipVotesNeeded(step);
  const votes = (active.skipVotes?.length ?? 0) + 1;
  const marked = isDecision(step, 'skip') ? marksOf(ledger, state, step, 'skip') : NO_MARKS;
  if (!marked.ok) return refuse(marked.refusal);
  const acting = { ...ledger.acting, ...marked.marks };
  if (required > 1) ledger.record({ type: 'step_skip_agreed', ...of, ...acting, reason, votes, required });
  if (votes < required) return accept(ledger);
  ledger.record({ type: 'step_skipped', ...of, ...acting, ...givenTo(active, ledger.by), reason, onward: true });
  advance(ledger, step.id);
  return accept(ledger);
}

/** Approval step: votes for it. Manual step: approves input that someone else submitted, which completes the step. */
export function approveStep(ledger: Ledger, state: RunState, command: Command<'approve'>): RunDecision {
  const found = actableStep(ledger, state, command.stepId);
  if (!found.ok) return refuse(found.refusal);
  const { step, active } = found;
  const comments = trimmed(command.comments) || null;
  if (step.type === 'approval') return vote(ledger, state, step, active, comments);
  const refusal = refusalOfSubmission(ledger, step, active);
  if (refusal || !active.submitted) return refuse(refusal ?? { code: 'not_submitted', stepId: step.id });
  const marked = marksOf(ledger, state, step, 'approve');
  if (!marked.ok) return refuse(marked.refusal);
  const { output, notes } = active.submitted;
  const of = { stepId: step.id, activation: active.activation, ...ledger.acting };
  ledger.record({ type: 'step_approved', ...of, ...marked.marks, comments, votes: 1, required: 1 });
  ledger.record({ type: 'step_completed', ...of, output, notes, report: null });
  advance(ledger, step.id);
  return accept(ledger);
}

/**
 * Approval step: returns the run to `onReject` and `stepsToRedo`, or fails it if `onReject` is not set. Manual step:
 * returns input that someone else submitted, and the step stays active. Comments are required ('Comments are required
 * when rejecting').
 */
export function rejectStep(ledger: Ledger, state: RunState, command: Command<'reject'>): RunDecision {
  const found = actableStep(ledger, state, command.stepId);
  if (!found.ok) return refuse(found.refusal);
  const { step, active } = found;
  const refusal =
    step.type === 'approval'
      ? whyNoVote({ step, active, state, graph: ledger.graph, by: ledger.actor }, 'reject')
      : refusalOfSubmission(ledger, step, active, 'reject');
  if (refusal) return refuse(refusal);
  const comments = command.comments.trim();
  if (comments === '') return refuse({ code: 'comments_required', stepId: step.id });
  const marked = marksOf(ledger, state, step, 'reject');
  if (!marked.ok) return refuse(marked.refusal);
  const of = { stepId: step.id, activation: active.activation, ...marked.marks };
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
  const approvalMark = approvalMarkOf(ledger);
  const marks = approvalMark && { approvalMark };
  ledger.record({ type: 'step_rejected', ...of, ...ledger.acting, comments, returnsTo, ...marks });
  const redo = stepsToRedo(ledger, state, step, { by: ledger.actor, ...marks });
  if (returnsTo) returnTo(ledger, [returnsTo, ...redo], { by: ledger.by, at: ledger.at, comments });
  else
    recordFailure(
      ledger,
      { stepId: step.id, activation: active.activation },
      `Rejected by ${actorInWords(ledger.by)}: ${comments}`,
    );
  return accept(ledger);
}

function vote(
  ledger: Ledger,
  state: RunState,
  step: ApprovalStep,
  active: ActiveStep,
  comments: string | null,
): RunDecision {
  const refusal = whyNoVote({ step, active, state, graph: ledger.graph, by: ledger.actor });
  if (refusal) return refuse(refusal);
  if (ledger.acting.actsFor && comments === null) return refuse({ code: 'stand_in_reason_required', stepId: step.id });
  const marked = marksOf(ledger, state, step, 'approve');
  if (!marked.ok) return refuse(marked.refusal);
  const of = { stepId: step.id, activation: active.activation };
  const votes = [...active.votes, { by: ledger.by, comments }];
  const required = requiredVotes(step);
  ledger.record({
    type: 'step_approved',
    ...of,
    ...ledger.acting,
    ...marked.marks,
    comments,
    votes: votes.length,
    required,
  });
  if (votes.length < required) return accept(ledger);
  const text = votes.flatMap((each) => each.comments ?? []).join('\n');
  const output = { approved: true, approvers: votes.map((each) => actorInWords(each.by)), text };
  ledger.record({ type: 'step_completed', ...of, output, notes: null, report: null });
  advance(ledger, step.id);
  return accept(ledger);
}

type Marked =
  | { ok: true; marks: { marks?: readonly DecisionMark[]; addedBy?: string } }
  | { ok: false; refusal: RunRefusal };
const NO_MARKS: Marked = { ok: true, marks: {} };

/**
 * Returns the marks of a decision, to be spread into its facts. Under strict review, returns a refusal instead if a
 * marked decision would approve or skip something.
 */
export function marksOf(ledger: Ledger, state: RunState, step: Step, act: DecidingAct): Marked {
  const { graph, by, isStrict, proofs, added } = ledger;
  const { marks, who } = decisionMarks({ graph, state, step, act, by, proofs, added });
  // A rejection or a retry approves nothing, so it counts despite its marks.
  const refusal = isStrict && act !== 'retry' && act !== 'reject' ? refusalOfMarks(marks, who, by) : null;
  if (refusal) return { ok: false, refusal };
  if (marks.length === 0) return NO_MARKS;
  return { ok: true, marks: { marks, ...(added !== null && marks.includes(added.mark) && { addedBy: added.by }) } };
}

function refusalOfMarks(
  [first]: readonly DecisionMark[],
  who: readonly { id: string; name: string }[],
  by: RunActor,
): RunRefusal | null {
  if (first === undefined) return null;
  const own = new Set([personBehind(by), ...(by.people ?? []).map(({ id }) => id)]);
  const others = who.filter(({ id }) => !own.has(id));
  const ids = who.map(({ id }) => id);
  const refusal = { code: 'reviewer_not_counted_yet', from: null } as const;
  if (others.length === 0 && (first === 'doer_not_proved' || first === 'voter_not_proved'))
    return { ...refusal, missing: VOUCHED_BY[first], who: ids, names: [] };
  return {
    ...refusal,
    missing: first === 'address_not_proved' ? 'proof' : first,
    who: ids,
    names: others.map(({ name }) => name),
  };
}

/** Used if only the person's own proof is missing. */
const VOUCHED_BY = { doer_not_proved: 'vouched_by_doer', voter_not_proved: 'vouched_by_voter' } as const;

/**
 * Returns the reason why a person's decision on an active step wouldn't count under strict review; null if it would.
 */
export function notCounted(
  workflow: RunWorkflow,
  state: RunState,
  step: Step,
  asked: { act: 'approve' | 'skip'; by: RunActor; proofs: ProofsNow; added: Added | null },
): RunRefusal | null {
  if (!isDecision(step, asked.act)) return null;
  const by = actorOn(stepStateOf(state, step.id), asked.by, asked.proofs);
  const { marks, who } = decisionMarks({ graph: graphOfVersion(workflow.steps), state, step, ...asked, by });
  return refusalOfMarks(marks, who, by);
}

/** Returns the number of people who have to approve; at least 1. */
export function requiredVotes(step: ApprovalStep): number {
  return Math.max(
    1,
    Math.trunc(step.config.minimumApprovers ?? STEP_KINDS.approval.defaults.config.minimumApprovers) || 1,
  );
}

/**
 * Returns the number of people who have to agree before a step is skipped (decision 70). This is the number that an
 * approval step needs, two for a manual step whose input needs approval, and one for any other step.
 */
export function skipVotesNeeded(step: Step): number {
  if (step.type === 'approval') return requiredVotes(step);
  return step.type === 'manual' && step.config.requiresApproval ? 2 : 1;
}

/**
 * True for an action that involves a second person: a vote, a decision on another person's input, or a skip of a step
 * that has either.
 */
export function isDecision(step: Step, act: 'complete' | 'approve' | 'reject' | 'skip'): boolean {
  if (step.type === 'approval' || act === 'approve' || act === 'reject') return true;
  return act === 'skip' && step.type === 'manual' && step.config.requiresApproval === true;
}

/**
 * Returns the reason why the run's history prevents a person from deciding an active step or its input; null if it
 * doesn't.
 */
export function voteRefusal(
  workflow: RunWorkflow,
  state: RunState,
  step: Step,
  by: RunActor,
  act: 'approve' | 'reject' = 'approve',
): RunRefusal | null {
  const active = stepStateOf(state, step.id);
  if (active?.state !== 'active') return null;
  const graph = graphOfVersion(workflow.steps);
  if (step.type === 'approval') return whyNoVote({ step, active, state, graph, by: actorOn(active, by) }, act);
  return active.submitted ? whyNotOwn(step, active.submitted.by, by, act) : null;
}

/**
 * Returns the reason why the run's history prevents a person from agreeing to skip an active step; null if it doesn't.
 */
export function skipRefusal(workflow: RunWorkflow, state: RunState, step: Step, by: RunActor): RunRefusal | null {
  const active = stepStateOf(state, step.id);
  return active?.state === 'active'
    ? whyNoSkip({ step, active, state, graph: graphOfVersion(workflow.steps), by: actorOn(active, by) })
    : null;
}

type Voting<S extends Step> = { step: S; active: ActiveStep; state: RunState; graph: StepGraph; by: RunActor };

function whyNoSkip({ step, active, state, graph, by }: Voting<Step>): RunRefusal | null {
  if (step.config.skip === 'never') return { code: 'skip_never', stepId: step.id };
  const { skipVotes = [], submitted } = active;
  if (skipVotes.some((vote) => isSamePerson(vote.by, by))) {
    return { code: 'already_agreed', stepId: step.id, votes: skipVotes.length, required: skipVotesNeeded(step) };
  }
  if (step.type === 'approval') return whyNoVote({ step, active, state, graph, by });
  // The author of the input may agree to a skip too, but someone who could approve the input also has to agree.
  const voters = [...skipVotes.map((vote) => vote.by), by];
  const isOwn = submitted !== null && voters.every((voter) => isSamePerson(voter, submitted.by));
  return isOwn && voters.length >= skipVotesNeeded(step) ? { code: 'own_submission', stepId: step.id } : null;
}

function whyNoVote(
  { step, active, state, graph, by }: Voting<ApprovalStep>,
  act: 'approve' | 'reject' = 'approve',
): RunRefusal | null {
  const own = active.votes.find((vote) => isSamePerson(vote.by, by));
  if (own) return { code: 'already_voted', stepId: step.id, ...throughOf(own.by, by) };
  const given = givenPlaces(active).find((place) => isSamePerson(place.by, by));
  const ownIds = [personBehind(by), ...(by.onBehalfOf ? [by.onBehalfOf.id] : [])];
  if (given && !holdersOf(active).some((id) => ownIds.includes(id)))
    return { code: 'approval_handed_over', stepId: step.id, name: given.holder.name };
  const barring = barringHands(graph, state, step, by);
  const [hand] = barring;
  if (!hand) return null;
  // A rejection approves nothing, and an unproved account may belong to someone else.
  const canReject = barring.every((each) => isUnprovedTie(each.by, by));
  if (act === 'reject' && canReject) return null;
  const of = { stepId: step.id, completedStepId: hand.stepId };
  return { code: 'separate_from', ...of, ...throughOf(hand.by, by), ...(canReject && { canReject }) };
}

function refusalOfSubmission(
  ledger: Ledger,
  step: Exclude<Step, ApprovalStep>,
  active: ActiveStep,
  act: 'approve' | 'reject' = 'approve',
): RunRefusal | null {
  if (!isManual(step)) return notForPersons(step);
  if (!active.submitted) return { code: 'not_submitted', stepId: step.id };
  return whyNotOwn(step, active.submitted.by, ledger.by, act);
}

function whyNotOwn(
  { id: stepId }: Step,
  submitter: RunActor,
  by: RunActor,
  act: 'approve' | 'reject',
): RunRefusal | null {
  if (!isSamePerson(submitter, by)) return null;
  // The same rule applies to votes. Otherwise, nobody could approve or return the input of an account that has all
  // managers behind it.
  const canReject = isUnprovedTie(submitter, by);
  if (act === 'reject' && canReject) return null;
  return { code: 'own_submission', stepId, ...throughOf(submitter, by), ...(canReject && { canReject }) };
}

/** Returns the name of the other account whose action counts as this person's; empty if the person acted themselves. */
function throughOf(other: RunActor, by: RunActor): { through?: string } {
  return personBehind(other) === personBehind(by) ? {} : { through: other.name };
}

function isManual(step: Step): step is ManualStep {
  return step.type === 'manual';
}

function notForPersons(step: Step): RunRefusal {
  return { code: 'not_a_person_step', stepId: step.id, type: step.type };
}

/** If a step has a form, the form is the input, and the text may be empty. */
function refusalOfInput(step: ManualStep, output: JsonObject | undefined, text: string): RunRefusal | null {
  const { fields = [] } = step.config;
  const given = output?.['fields'] ?? {};
  if (!isJsonObject(given)) {
    return {
      code: 'invalid_fields',
      stepId: step.id,
      problems: [{ fieldId: 'fields', problem: 'The form values must be an object with the field names as keys' }],
    };
  }
  const problems = checkFieldValues(fields, given, (field) => isFieldRequired(field, fields, given));
  if (problems.length > 0) return { code: 'invalid_fields', stepId: step.id, problems };
  return fields.length === 0 && text === '' ? { code: 'input_required', stepId: step.id } : null;
}

function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function trimmed(text: Json | undefined): string {
  return typeof text === 'string' ? text.trim() : '';
}
