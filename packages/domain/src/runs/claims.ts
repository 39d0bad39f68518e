import { namedAs, namesOfPerformers } from '../access/performers.ts';
import { groupAssignee } from '../access/groups.ts';
import type { PersonCommand } from './commands.ts';
import { actableStep, activeStep } from './guards.ts';
import { graphOfVersion } from '../workflows/graph.ts';
import { actorOn, givenPlaces, giversAfter, holderOf, holdersOf } from './hand-over.ts';
import { accept, type Ledger, refuse, type RunDecision } from './ledger.ts';
import { barringHands, performersIn } from './people.ts';
import { skipRefusal, voteRefusal } from './person-steps.ts';
import type { RunRefusal } from './refusals.ts';
import {
  actingTogether,
  type HandedTo,
  isSamePerson,
  personBehind,
  type RunActor,
  type RunState,
  stepStateOf,
} from './state.ts';
import type { Step } from '../steps/index.ts';

type Command<T extends PersonCommand['type']> = Extract<PersonCommand, { type: T }>;

/** Claims a manual step, so that it waits only for the actor. Its clock continues. */
export function claimStep(ledger: Ledger, state: RunState, command: Command<'claim'>): RunDecision {
  const found = actableStep(ledger, state, command.stepId);
  if (!found.ok) return refuse(found.refusal);
  const { step, active } = found;
  const refusal = whyNoClaim(state, step, ledger.by);
  if (refusal) return refuse(refusal);
  ledger.record({ type: 'step_claimed', stepId: step.id, activation: active.activation });
  return accept(ledger);
}

/** Returns the reason why the actor can't claim an active step; null if its state allows it. */
export function whyNoClaim(state: RunState, step: Step, by: RunActor): RunRefusal | null {
  const { id: stepId, type } = step;
  const active = stepStateOf(state, stepId);
  if (type !== 'manual') return { code: 'not_a_person_step', stepId, type };
  if (active?.state !== 'active') return null;
  if (active.submitted) return { code: 'already_submitted', stepId };
  const holder = holderOf(active);
  if (holder && holder.id !== personBehind(by)) return { code: 'already_claimed', stepId, name: holder.name };
  return holder ? { code: 'already_theirs', stepId, name: holder.name } : null;
}

/**
 * Gives a step back to the people who had it before. If its holder leaves the organization or is disabled, this is
 * possible in every open run. The exception is a place on an approval that they have already used to vote, because
 * votes remain after their author leaves.
 */
export function releaseStep(ledger: Ledger, state: RunState, command: Command<'release'>): RunDecision {
  const { stepId, holderId, because } = command;
  const step = stepStateOf(state, stepId);
  if (because === undefined || step?.state !== 'active') {
    const found = actableStep(ledger, state, stepId);
    if (!found.ok) return refuse(found.refusal);
  }
  if (step?.state !== 'active' || !holdersOf(step).includes(holderId)) return refuse({ code: 'not_claimed', stepId });
  const hasVoted = step.votes.some(({ by }) => personBehind(by) === holderId || by.onBehalfOf?.id === holderId);
  if (because !== undefined && hasVoted) return refuse({ code: 'not_claimed', stepId });
  const to = step.handedOver?.findLast((each) => each.to.kind === 'person' && each.to.id === holderId)?.to;
  const name = step.claimed && personBehind(step.claimed.by) === holderId ? step.claimed.by.name : (to?.name ?? '');
  ledger.record({
    type: 'step_released',
    stepId,
    activation: step.activation,
    holder: { id: holderId, name },
    ...(because && { because }),
  });
  return accept(ledger);
}

/**
 * Hands an active step over to a person or, if it is a manual one, to a group. Its clock continues. Someone who may not
 * decide an approval step can neither hand it over nor receive it, except that a person gets back an approval that they
 * handed over.
 */
export function handOverStep(ledger: Ledger, state: RunState, command: Command<'hand_over'>): RunDecision {
  const { stepId, to, alsoIds = [], formerEmails = [] } = command;
  const found = command.because === undefined ? actableStep(ledger, state, stepId) : activeStep(ledger, state, stepId);
  if (!found.ok) return refuse(found.refusal);
  const { step, active } = found;
  const refusal =
    whyNoHandOver({ workflow: ledger.workflow, by: ledger.actor }, state, step) ??
    whyNotTo(ledger, state, step, { to, alsoIds, formerEmails });
  if (refusal) return refuse(refusal);
  const reason = command.reason.trim();
  if (reason === '') return refuse({ code: 'reason_required', stepId });
  ledger.record({
    type: 'step_handed_over',
    stepId,
    activation: active.activation,
    handedTo: to,
    reason,
    ...(step.type === 'approval' ? { isOfApproval: true } : giversAfter(active, ledger.by, to)),
  });
  return accept(ledger);
}

/** Returns the reason why the run's state prevents the actor from handing an active step over; null if it doesn't. */
export function whyNoHandOver(
  { workflow, by }: Pick<Ledger, 'workflow' | 'by'>,
  state: RunState,
  step: Step,
): RunRefusal | null {
  const { id: stepId, type } = step;
  const active = stepStateOf(state, stepId);
  if (type !== 'manual' && type !== 'approval') return { code: 'not_a_person_step', stepId, type };
  if (active?.state !== 'active') return null;
  if (active.submitted) return { code: 'already_submitted', stepId };
  // Only a person who can approve and hasn't voted yet has a vote to hand over.
  return type === 'approval'
    ? (voteRefusal(workflow, state, step, by) ?? skipRefusalByVote(workflow, state, step, by))
    : null;
}

/** Someone who has agreed to skip the step has used their vote. */
function skipRefusalByVote(workflow: Ledger['workflow'], state: RunState, step: Step, by: RunActor): RunRefusal | null {
  const refusal = skipRefusal(workflow, state, step, by);
  return refusal?.code === 'already_agreed' ? refusal : null;
}

function whyNotTo(
  { workflow, by }: Ledger,
  state: RunState,
  step: Step,
  { to, alsoIds, formerEmails }: { to: HandedTo; alsoIds: readonly string[]; formerEmails: readonly string[] },
): RunRefusal | null {
  const { id: stepId } = step;
  if (to.kind === 'person' && to.id === personBehind(by)) return { code: 'handed_to_oneself', stepId };
  const performers = performersIn(state, step);
  if (to.kind === 'group') {
    if (step.type === 'approval') return { code: 'approval_to_group', stepId };
    const names = namesOfPerformers(performers);
    return names.length === 1 && names[0] === groupAssignee(to.slug)
      ? { code: 'already_theirs', stepId, name: to.name }
      : null;
  }
  const hasIt =
    step.type === 'approval'
      ? namedAs(performers, { ...to, formerEmails, orgRole: null }) === 'person'
      : holderOf(stepStateOf(state, stepId))?.id === to.id;
  if (hasIt) return { code: 'already_theirs', stepId, name: to.name };
  if (step.type !== 'approval') return null;
  const { id, name, email } = to;
  const person: RunActor = { id, name, email, kind: 'user', also: alsoIds.filter((other) => other !== id) };
  const active = stepStateOf(state, stepId);
  // A person who handed the approval over can get it back.
  const way = givenPlaces(active).filter(({ holder }) => holder.id === personBehind(by));
  if (way.some((place) => personBehind(place.by) === id)) return null;
  if (isSamePerson(actorOn(active, by), person)) return { code: 'handed_to_oneself', stepId };
  const refusal = voteRefusal(workflow, state, step, person) ?? skipRefusalByVote(workflow, state, step, person);
  if (refusal) return { code: 'hand_over_barred', stepId, name, why: WHY_BARRED[refusal.code] ?? 'has_voted' };
  // If the step names the giver by address, an uncertain tie between the giver and earlier work only marks the giver's
  // decision. The receiver isn't named, so it bars them.
  const both = actingTogether(person, [actorOn(active, by)]);
  return barringHands(graphOfVersion(workflow.steps), state, step, both).length > 0
    ? { code: 'hand_over_barred', stepId, name, why: 'giver_did_work' }
    : null;
}

const WHY_BARRED: Partial<Record<RunRefusal['code'], 'did_work' | 'has_handed_over'>> = {
  separate_from: 'did_work',
  approval_handed_over: 'has_handed_over',
};
