import { type AddedMark, isLate } from '../access/performers.ts';
import type { Step } from '../steps/index.ts';
import type { StepGraph } from '../workflows/graph.ts';
import {
  type ProofsNow,
  type Rejection,
  type RunActor,
  type RunState,
  type StepState,
  asProvedNow,
  isSamePerson,
  isUncertainTie,
  personBehind,
  proofsOf,
  stepStateOf,
} from './state.ts';
import type { Added, DecidedBy } from './ledger.ts';
import type { DecisionMark } from './mark-words.ts';
import { barringHands, giversBefore, giversOfWork, lastPeopleBefore, rejectedBy } from './people.ts';

/** An action by someone who must be independent of the people who acted before; see `apartFrom`. */
export type DecidingAct = 'approve' | 'reject' | 'skip' | 'retry';

type Question = {
  graph: StepGraph;
  state: RunState;
  step: Step;
  act: DecidingAct;
  by: RunActor;
  /** The current proofs of accounts that weren't proved when they acted. */
  proofs: ProofsNow;
  /** See `DecidedBy`. */
  added: Added | null;
};

/**
 * Returns the marks of a decision on a step, and the people whose addresses must be proved to remove the marks about
 * proofs. These include `by` if one of the others is proved and vouches for `by`.
 */
export function decisionMarks(question: Question): { marks: DecisionMark[]; who: Person[] } {
  const { by, act, proofs, added } = question;
  const { doers, givers, voters } = apartFrom(question);
  const unknown = (others: readonly RunActor[]): RunActor[] =>
    others
      .filter((other) => !isSamePerson(other, by) || isUncertainTie(other, by))
      .map((other) => comparedNow(other, proofs))
      .filter((other) => !areKnownApart(other, by));
  const [unknownDoers, unknownVoters] = [unknown([...doers, ...givers]), unknown(voters)];
  const marks: DecisionMark[] = [];
  if (by.unproved && (act !== 'retry' || doers.length > 0)) marks.push('address_not_proved');
  // A rejection approves nothing, so it doesn't matter who did the work or voted.
  if (act !== 'reject' && unknownDoers.length > 0) marks.push('doer_not_proved');
  if (act !== 'reject' && unknownVoters.length > 0) marks.push('voter_not_proved');
  if (act !== 'reject' && givers.some((giver) => isSamePerson(giver, by))) marks.push('handed_work_over');
  if (by.kind === 'token' && (act !== 'retry' || doers.length > 0)) marks.push('by_api_token');
  if ((act === 'approve' || act === 'skip') && added !== null) marks.push(added.mark);
  const unknownOthers = act === 'reject' ? [] : [...unknownDoers, ...unknownVoters];
  const toProve = unknownOthers.map((other) => peopleToProve(other, by));
  const isTied = !by.unproved && toProve.some((people) => people.length === 0);
  const self = by.unproved || isTied ? unprovedPeople(by) : [];
  const who = [...(by.unproved ? self : []), ...toProve.flat(), ...(isTied ? self : [])];
  return { marks, who: [...new Map(who.map((person) => [person.id, person])).values()] };
}

type Person = { id: string; name: string };

type Others = { doers: RunActor[]; givers: readonly RunActor[]; voters: RunActor[] };

/** Returns the people that the deciding person must be independent of. */
function apartFrom({ graph, state, step, act }: Question): Others {
  const current = stepStateOf(state, step.id);
  if (act === 'retry') {
    // An approval step can only fail through a rejection.
    const isRejected = step.type === 'approval' && current?.state === 'failed';
    return {
      doers: isRejected ? rejectedBy(graph, state, step.id) : [],
      givers: isRejected ? giversBefore(graph, state, step.id).map(({ by }) => by) : [],
      voters: [],
    };
  }
  if (current?.state !== 'active') return { doers: [], givers: [], voters: [] };
  const { votes, skipVotes = [], submitted } = current;
  const voters = (act === 'skip' ? skipVotes : votes).map((vote) => vote.by);
  const givers = step.type !== 'approval' && act === 'skip' ? [] : giversOfWork(graph, state, step);
  if (step.type !== 'approval') return { doers: act !== 'skip' && submitted ? [submitted.by] : [], givers, voters };
  const hands = step.config.separateFrom ? lastPeopleBefore(graph, state, step.id) : [];
  return { doers: hands.map((hand) => hand.by), givers, voters };
}

/**
 * Returns steps whose work has to be done again after a rejection of this step by `by` (null if unknown), because
 * otherwise nobody might be able to approve it. There are none without separation. This is work that counts as that of
 * `by`. Under strict review, it is also work that `by` handed over, work done or handed over by accounts whose own
 * addresses still aren't proved, and work by people who vouch for `by`. If only one manager vouches for an account, this
 * manager and the approvers they chose can't approve its work, and the account can't approve theirs. If `by` couldn't
 * have approved the work because of their `approvalMark`, it is all of it.
 */
export function stepsToRedo(
  { graph, isStrict, proofs }: { graph: StepGraph; isStrict: boolean; proofs: ProofsNow },
  state: RunState,
  step: Step,
  { by, approvalMark }: Pick<Rejection, 'by' | 'approvalMark'>,
): string[] {
  if (step.type !== 'approval' || !step.config.separateFrom) return [];
  const own = by ? barringHands(graph, state, step, by) : [];
  const givers = giversBefore(graph, state, step.id);
  const hands = [...lastPeopleBefore(graph, state, step.id), ...givers];
  if (isStrict && approvalMark) return [...new Set(hands.map(({ stepId }) => stepId))];
  const now = by && comparedNow(by, proofs);
  const tied = hands.filter((hand) => {
    const other = comparedNow(hand.by, proofs);
    return other.unproved || other.vouchedBy || (now && !now.unproved && !areKnownApart(other, now));
  });
  const given = by ? givers.filter((giver) => isSamePerson(giver.by, by)) : [];
  return [...new Set([...own, ...(isStrict ? [...tied, ...given] : [])].map(({ stepId }) => stepId))];
}

/**
 * Under strict review, returns the mark because of which an approval by this person wouldn't count, if it is about the
 * people behind the work. If someone else does the work again, the mark may disappear. Otherwise returns null.
 */
export function approvalMarkOf({ isStrict, added }: Pick<DecidedBy, 'isStrict' | 'added'>): AddedMark | null {
  return isStrict && added && !isLate(added) ? added.mark : null;
}

/**
 * Returns the ids of those people behind the start, the work, the votes, the hand-overs of approvals and the rejection of
 * a run whose own addresses weren't proved when they acted.
 */
export function unprovedIn({ steps, startedBy }: RunState): string[] {
  const actors = Object.values(steps).flatMap((step): RunActor[] => {
    if (step.state === 'failed') return step.rejected?.by ? [step.rejected.by] : [];
    if (step.state === 'skipped') return [...(step.hands ?? [step.by]), ...(step.handedBy ?? [])];
    if (step.state !== 'completed' && step.state !== 'active') return [];
    const votes = [...step.votes, ...(step.state === 'active' ? (step.skipVotes ?? []) : [])].map(({ by }) => by);
    const places = step.state === 'active' ? (step.handedOver ?? []).filter(({ isOfApproval }) => isOfApproval) : [];
    const submitted = step.submitted ? [step.submitted.by, ...(step.submitted.handedBy ?? [])] : [];
    return [
      ...votes,
      ...places.map(({ by }) => by),
      ...submitted,
      ...(step.state === 'completed' ? [step.by, ...(step.handedBy ?? [])] : []),
    ];
  });
  const unproved = [startedBy, ...actors].filter((actor) => actor.unproved || actor.vouchedBy);
  return [...new Set(unproved.flatMap((actor) => actor.people?.map(({ id }) => id) ?? [personBehind(actor)]))];
}

/**
 * Returns an actor as they are compared with others. Once their proof is read again, the people in `also`, who stood
 * behind the account while it wasn't proved, don't prove its mailbox.
 */
function comparedNow(actor: RunActor, proofs: ProofsNow): RunActor {
  const now = asProvedNow(actor, proofs);
  return now === actor ? actor : { ...now, also: [] };
}

/** Returns those behind an action who aren't proved by their own account; the actor if none of them is known. */
function unprovedPeople(actor: RunActor): Person[] {
  const people = (actor.people ?? []).filter(({ id }, n) => !actor.proofs?.[n]?.includes(id));
  return people.length > 0 ? people : [{ id: personBehind(actor), name: actor.name }];
}

/**
 * Returns the people who have to prove their addresses so that `other` and `by` are known apart. Empty if only those
 * behind `by` have to.
 */
function peopleToProve(other: RunActor, by: RunActor): Person[] {
  const { unproved, vouchedBy, proofs = [], people } = other;
  if (!unproved && !vouchedBy) return [];
  if (!people) return [{ id: personBehind(other), name: other.name }];
  return people.filter(({ id }, n) => {
    const list = proofs[n] ?? [];
    return !list.includes(id) && !proofsOf(by).every((own) => areApart(list, own));
  });
}

/**
 * True if two actors have different mailboxes behind them, as far as the product knows. If several people act together,
 * this must be true for each of them.
 */
const areKnownApart = (one: RunActor, other: RunActor): boolean =>
  proofsOf(one).every((first) => proofsOf(other).every((second) => areApart(first, second)));

/** True if no account proves both. An empty list proves nobody. */
const areApart = (one: readonly string[], other: readonly string[]): boolean =>
  one.length > 0 && other.length > 0 && !one.some((id) => other.includes(id));

/**
 * Returns the marks of the approvals, the agreements to skip and the retry that led to the step's current state, each
 * once.
 */
export function marksOfStep(step: StepState): DecisionMark[] {
  const votes = 'votes' in step ? step.votes : [];
  const skipVotes = step.state === 'active' ? (step.skipVotes ?? []) : step.state === 'skipped' ? [step] : [];
  const retried = 'rejected' in step ? (step.rejected?.retryMarks ?? []) : [];
  const marks = [...votes, ...skipVotes].flatMap((each) => each.marks ?? []);
  return [...new Set([...marks, ...retried])];
}
