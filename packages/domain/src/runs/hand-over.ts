import { STARTER, assigneeNames } from '../access/assignee.ts';
import { canonicalEmail } from '../access/email-address.ts';
import { groupAssignee } from '../access/groups.ts';
import type { NamesPeople, Performers } from '../access/performers.ts';
import {
  type ActiveStep,
  actingTogether,
  asProvedNow,
  type Given,
  type HandOver,
  type HandedTo,
  personBehind,
  type ProofsNow,
  type RunActor,
  type StepState,
} from './state.ts';

// Functions about the people who have a step through claims and hand-overs. `claims.ts` contains the commands.

/** Returns the person who claimed a manual step or to whom it was handed over; null if there is none. */
export function holderOf(step: StepState | undefined): { id: string; name: string; email: string } | null {
  if (step?.state !== 'active') return null;
  if (step.claimed) return { ...step.claimed.by, id: personBehind(step.claimed.by) };
  const to = step.handedOver?.at(-1)?.to;
  return to?.kind === 'person' ? to : null;
}

/**
 * Returns the people that a step is for, from the people that it names. Submitted input is approved by the people that
 * the version names, even if the step was handed over, because the version's review approved them for this.
 */
export function performersAfter(step: StepState | undefined, named: Performers): Performers {
  if (step?.state !== 'active' || step.submitted) return named;
  if (step.claimed) return only({ ...step.claimed.by, kind: 'person', id: personBehind(step.claimed.by) });
  const { handedOver = [] } = step;
  return handedOver.reduce(
    (performers, { by, to, isOfApproval }) => (isOfApproval ? replaced(performers, by, to) : only(to)),
    named,
  );
}

const only = (to: HandedTo): Performers => ({
  emails: [],
  roles: [],
  groups: to.kind === 'group' ? [to.slug] : [],
  starter: null,
  ...(to.kind === 'person' && { ids: [to.id] }),
});

/**
 * Returns the fields of a step that name people, as they are after claims and hand-overs.
 * @param startedBy the id of the person who started the run; null if the server did
 */
export function namesAfter(
  step: StepState | undefined,
  { assignee, config }: NamesPeople,
  startedBy: string | null,
): NamesPeople {
  if (step?.state !== 'active' || step.submitted) return { assignee, config };
  if (step.claimed) return { assignee: step.claimed.by.email, config: {} };
  const { handedOver = [] } = step;
  return handedOver.reduce<NamesPeople>(
    (names, { by, to, isOfApproval }) => {
      const next = to.kind === 'person' ? to.email : groupAssignee(to.slug);
      if (!isOfApproval) return { assignee: next, config: {} };
      const isFrom = (name: string): boolean =>
        name.toLowerCase() === STARTER ? personBehind(by) === startedBy : isSameMailbox(name, by.email);
      const replacedNames = assigneeNames(names.assignee).map((name) => (isFrom(name) ? next : name));
      return { ...names, assignee: replacedNames.join(', ') };
    },
    { assignee, config },
  );
}

const isSameMailbox = (one: string, other: string): boolean =>
  (canonicalEmail(one) ?? one.toLowerCase()) === (canonicalEmail(other) ?? other.toLowerCase());

/** Puts a person in the place of another. */
function replaced({ emails, starter, ids = [], ...rest }: Performers, by: RunActor, to: HandedTo): Performers {
  const from = personBehind(by);
  return {
    ...rest,
    emails: emails.filter((email) => !isSameMailbox(email, by.email)),
    starter: starter === from ? null : starter,
    ids: [...ids.filter((id) => id !== from), ...(to.kind === 'person' ? [to.id] : [])],
  };
}

/**
 * Returns the hand-overs through which a person got their place on an approval step, the latest first. Each hand-over
 * was made by someone who had the place before.
 */
function wayTo(handedOver: readonly HandOver[], personId: string): HandOver[] {
  const way: HandOver[] = [];
  let holder = personId;
  for (const each of handedOver.toReversed()) {
    if (each.to.kind !== 'person' || each.to.id !== holder) continue;
    way.push(each);
    holder = personBehind(each.by);
  }
  return way;
}

/** Returns the hand-overs of an approval that are in force, each with the person who has the place now. */
export function givenPlaces(step: StepState | undefined): { by: RunActor; holder: { id: string; name: string } }[] {
  const all = step?.state === 'active' ? (step.handedOver ?? []) : [];
  const places = all.filter(({ isOfApproval }) => isOfApproval);
  const holders = places.flatMap(({ to }) => (to.kind === 'person' && holdersOf(step).includes(to.id) ? [to] : []));
  return holders.flatMap((holder) => wayTo(places, holder.id).map(({ by }) => ({ by, holder })));
}

/**
 * Returns everyone through whose hand-overs a manual step reached the people who have it, in order. They chose who does
 * the work, so their own decisions on it are marked.
 */
export function giversOf(step: StepState | undefined): readonly RunActor[] {
  const last = step?.state === 'active' ? step.handedOver?.at(-1) : undefined;
  return last && !last.isOfApproval ? (last.givers ?? [last.by]) : [];
}

/**
 * Returns the givers of a manual step after one more hand-over, to be spread into its fact. A person who returns a step
 * to an earlier giver isn't a giver.
 */
export function giversAfter(step: ActiveStep, by: RunActor, to: HandedTo): { givers?: readonly RunActor[] } {
  const before = giversOf(step);
  const back = to.kind === 'person' ? before.findIndex((giver) => personBehind(giver) === to.id) : -1;
  if (back !== -1) return { givers: before.slice(0, back) };
  const others = before.filter((giver) => personBehind(giver) !== personBehind(by));
  return others.length > 0 ? { givers: [...others, by] } : {};
}

/** Returns the givers of a step that the actor does, to be spread into its fact. */
export function givenTo(step: ActiveStep, actor: RunActor): Given {
  const givers = giversOf(step).filter((giver) => personBehind(giver) !== personBehind(actor));
  return givers.length > 0 ? { handedBy: givers } : {};
}

/**
 * Returns the actor of a decision on a step. If the approval was handed over to the actor, everyone who handed it over
 * is also behind the decision. Their votes are used up too, and the actor may decide only if they may.
 * @param proofs the current proofs of those who weren't proved then
 */
export function actorOn(step: StepState | undefined, actor: RunActor, proofs: ProofsNow = new Map()): RunActor {
  if (step?.state !== 'active' || !step.handedOver) return actor;
  const places = [personBehind(actor), ...(actor.onBehalfOf ? [actor.onBehalfOf.id] : [])];
  const way = places.flatMap((id) => wayTo(step.handedOver ?? [], id)).filter(({ isOfApproval }) => isOfApproval);
  if (way.length === 0) return actor;
  const givers = way.map(({ by }) => {
    const now = asProvedNow(by, proofs);
    // A giver for whom nobody vouches any more had a voucher when they handed it over.
    return now.unproved && !by.unproved ? by : now;
  });
  return actingTogether(actor, givers);
}

/**
 * Returns an active step after a hand-over. If a person gets back a place on an approval step that they had handed
 * over, this hand-over and those after it are removed.
 */
export function handedOverStep(step: ActiveStep, handOver: HandOver): ActiveStep {
  const { by, to, isOfApproval } = handOver;
  const { claimed, handedOver: before = [], ...rest } = step;
  if (!isOfApproval) return { ...rest, handedOver: [handOver] };
  const same = { ...rest, ...(claimed && { claimed }) };
  const way = wayTo(before, personBehind(by));
  const back = way.findIndex((each) => to.kind === 'person' && personBehind(each.by) === to.id);
  if (back === -1) return { ...same, handedOver: [...before, handOver] };
  const undone = way.slice(0, back + 1);
  return withHandOvers(
    same,
    before.filter((each) => !undone.includes(each)),
  );
}

/**
 * Returns an active step without a person's claim, and without the hand-overs that gave them the step.
 * @param takenBackBy the id of the person who releases the step. If they handed the approval over, it returns to them,
 * otherwise to the first person who did. Null if the holder leaves.
 */
export function releasedStep(
  { claimed, handedOver = [], ...step }: ActiveStep,
  holderId: string,
  takenBackBy: string | null,
): ActiveStep {
  const whole = wayTo(handedOver, holderId);
  const back = whole.findIndex(({ by, isOfApproval }) => isOfApproval && personBehind(by) === takenBackBy);
  const way = back === -1 ? whole : whole.slice(0, back + 1);
  return {
    ...withHandOvers(
      step,
      handedOver.filter((each) => !way.includes(each)),
    ),
    ...(claimed && personBehind(claimed.by) !== holderId && { claimed }),
  };
}

const withHandOvers = (step: ActiveStep, handedOver: HandOver[]): ActiveStep =>
  handedOver.length > 0 ? { ...step, handedOver } : step;

const NOBODY: Performers = { emails: [], roles: [], groups: [], starter: null };

/** Returns the ids of everyone who has an active step because of a claim or a hand-over. */
export const holdersOf = (step: StepState | undefined): readonly string[] =>
  step?.state === 'active' ? (performersAfter({ ...step, submitted: null }, NOBODY).ids ?? []) : [];
