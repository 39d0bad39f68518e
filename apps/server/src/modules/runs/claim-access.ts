import { addressesOf, isUnassigned, namedAs, spellingsOf } from '@stet/domain/access';
import {
  givenPlaces,
  holderOf,
  holdersOf,
  isSamePerson,
  notCounted,
  performersIn,
  personBehind,
  type RunState,
  stepStateOf,
  whyNoClaim,
  whyNoHandOver,
} from '@stet/domain/runs';
import type { Step } from '@stet/domain/steps';
import { namedPersonOf, type OrgActor } from '../../kernel/actor.ts';
import type { Refusal } from '../../kernel/refused.ts';
import { isPersonalAccount, runActorOf } from './run-actor.ts';
import type { StepAccess } from './step-access.ts';

type Asked = {
  actor: OrgActor;
  row: { steps: readonly Step[]; strict: boolean };
  state: RunState;
  step: Step;
  access: StepAccess;
};

/** The reasons why the actor can't claim, release or hand over an active step. Null for each action that is allowed. */
type ClaimRefusals = { claim: Refusal | null; release: Refusal | null; handOver: Refusal | null };

/**
 * The people that a manual step names can claim it and hand it over. Owners and admins can reassign and release it.
 * Everyone can release a step that they have themselves. An approval can be handed over only by someone whom it names
 * as a person, not by role or group, and who could approve it themselves. Until one of the two has voted, the previous
 * person can take the approval back, for example if the new one is away. Individual organizations refuse all three
 * actions.
 */
export function claimRefusals(asked: Asked): ClaimRefusals {
  const { actor, state, step } = asked;
  const workflow = { steps: asked.row.steps };
  if (isPersonalAccount(actor)) {
    const refusal = { code: 'individual_organization' } as const;
    return { claim: refusal, release: refusal, handOver: refusal };
  }
  const { id: stepId, type } = step;
  const cannot = { code: 'cannot_hand_over', stepId, isApproval: type === 'approval' } as const;
  const held = holdersOf(stepStateOf(state, stepId));
  const canReassign = type === 'manual' && actor.permissions.includes('step.stand_in');
  const isNamed = asked.access.howMayAct(step) === 'named';
  return {
    claim: whyNoClaim(state, step, runActorOf(actor)) ?? (isNamed ? null : (notTheirs(asked) ?? cannot)),
    release:
      held.length === 0
        ? { code: 'not_claimed', stepId }
        : canReassign ||
            canTakeBack(state, stepId, actor) ||
            (held.includes(namedPersonOf(actor).id) && actor.permissions.includes('step.act_assigned'))
          ? null
          : cannot,
    handOver:
      type === 'approval'
        ? (approvalRefusal(asked) ??
          (namedAs(performersIn(state, step), namedPersonOf(actor)) === 'person' ? null : cannot))
        : (whyNoHandOver({ workflow, by: runActorOf(actor) }, state, step) ??
          (isNamed || canReassign ? null : (notTheirs(asked) ?? cannot))),
  };
}

const notTheirs = ({ access, step }: Asked): Refusal | null => access.refusalToAct(step, 'complete');

/** Refuses people who couldn't approve the step themselves, so that they can't choose its approver. */
function approvalRefusal({ actor, row, state, step, access }: Asked): Refusal | null {
  const by = runActorOf(actor);
  const workflow = { steps: row.steps };
  return (
    access.refusalToAct(step, 'approve') ??
    whyNoHandOver({ workflow, by }, state, step) ??
    (row.strict
      ? notCounted(workflow, state, step, { act: 'approve', by, proofs: access.proofs, added: access.added(step) })
      : null)
  );
}

/** True if the step is for the actor alone; there is then nothing to claim. */
export function isTheirsAlone(state: RunState, step: Step, actor: OrgActor): boolean {
  const performers = performersIn(state, step);
  const { id } = namedPersonOf(actor);
  const { emails, starter, ids = [], roles, groups } = performers;
  if (isUnassigned(performers) || roles.length > 0 || groups.length > 0) return false;
  const own = addressesOf(actor).flatMap(spellingsOf);
  return emails.every((email) => own.includes(email)) && [...ids, starter ?? id].every((each) => each === id);
}

/**
 * Returns the place on an approval that the actor handed over. Undefined if there is none, or if the actor or the new
 * person has already voted.
 */
function takenBack(state: RunState, stepId: string, actor: OrgActor) {
  const step = stepStateOf(state, stepId);
  const by = runActorOf(actor);
  if (step?.state !== 'active' || step.votes.some((vote) => isSamePerson(vote.by, by))) return undefined;
  return givenPlaces(step).find((place) => personBehind(place.by) === namedPersonOf(actor).id);
}

const canTakeBack = (state: RunState, stepId: string, actor: OrgActor): boolean =>
  takenBack(state, stepId, actor) !== undefined && actor.permissions.includes('step.act_assigned');

/**
 * Returns the id of the person from whom a release takes the step: the actor, the person to whom the actor handed over
 * an approval, or, if a manager releases a manual step, its current holder.
 */
export function holderToRelease(state: RunState, stepId: string, actor: OrgActor): string {
  const step = stepStateOf(state, stepId);
  const { id } = namedPersonOf(actor);
  if (holdersOf(step).includes(id)) return id;
  return (takenBack(state, stepId, actor)?.holder ?? holderOf(step))?.id ?? id;
}
