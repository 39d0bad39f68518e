import type { AddedMark } from '../access/performers.ts';
import type { ActsFor } from '../access/step-access.ts';
import { type Clock, dueAt, type SlaState } from '../sla/clock.ts';
import type { Deadline } from '../sla/deadline.ts';
import type { DecisionMark } from './mark-words.ts';
import type { Step, StepReport } from '../steps/index.ts';

/** Plain JSON in a step's output and in facts, so it can be stored in a column. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/**
 * The actor. If `personId` is set, the actor is a token and that person is responsible for it. `also` has the ids of
 * others whose action this is too, for example the inviter of an unproved account, and other accounts of the same
 * mailbox.
 */
export type RunActor = {
  id: string;
  name: string;
  email: string;
  /** Earlier addresses of the account, by which a version can name the actor. Never recorded. */
  formerEmails?: readonly string[];
  kind: 'user' | 'system' | 'token';
  personId?: string;
  also?: readonly string[];
  /** True if the account's address wasn't proved, and no manager with a proved address vouched for it. */
  unproved?: true;
  /**
   * Ids of those in `also` who are certainly behind an unproved account: the inviter, if nobody else saw the link, and
   * former owners of the token, each with their other proved accounts. See `isUncertainTie`.
   */
  sureInviters?: readonly string[];
  /**
   * Ids of the only manager with a proved address who vouched for an account whose own address wasn't proved, and of the
   * other accounts of their mailbox. Absent if managers with different mailboxes did, except in old records.
   */
  vouchedBy?: readonly string[];
  /**
   * Set if several people act together, such as a delegate and the delegator, and at least one of them isn't proved by
   * their own account. For each person, it has the accounts that prove that person; none for an unproved one.
   */
  proofs?: readonly (readonly string[])[];
  /** The people in `proofs`, in the same order. Absent in old records, and in actions based on one of these. */
  people?: readonly { id: string; name: string }[];
  /** The delegator, if the actor acts as their delegate; see `actingFor`. */
  onBehalfOf?: { id: string; name: string; email: string };
};

/** The current proof of an account whose own address wasn't proved when it acted. */
export type ProofNow = Pick<RunActor, 'unproved' | 'vouchedBy'>;
/** The current proofs by account id. An account that is missing here has the same proof as when it acted. */
export type ProofsNow = ReadonlyMap<string, ProofNow>;

/**
 * Returns the person responsible for the action. For rules that separate people, a token is therefore the same person.
 */
export const personBehind = ({ id, personId }: RunActor): string => personId ?? id;

/** Returns all people behind an action, the actor first; empty for an action of the server. */
export const peopleBehind = (actor: RunActor): readonly string[] =>
  actor.kind === 'system' ? [] : [personBehind(actor), ...(actor.also ?? [])];

/** True if the same person is behind both actors. */
export function isSamePerson(one: RunActor, other: RunActor): boolean {
  const people = peopleBehind(one);
  return peopleBehind(other).some((id) => people.includes(id));
}

/**
 * Returns a delegate who acts for a delegator: the action counts as both people's, in every rule that separates people.
 */
export function actingFor(delegate: RunActor, delegator: RunActor): RunActor {
  const { id, name, email } = delegator;
  return { ...actingTogether(delegate, [delegator]), onBehalfOf: { id, name, email } };
}

/**
 * Returns an actor whose action is also that of other people. The actor is proved only if all of them are. No account's
 * mailbox proves another account, so each of them is compared with other people separately.
 */
export function actingTogether(actor: RunActor, others: readonly RunActor[]): RunActor {
  const all = [actor, ...others];
  const also = new Set(all.flatMap(peopleBehind));
  also.delete(personBehind(actor));
  const isPlain = all.every((each) => !each.unproved && !each.vouchedBy && !each.proofs);
  const { unproved: _, sureInviters: __, vouchedBy: ___, proofs: ____, people: _____, ...rest } = actor;
  const sure = new Set(all.flatMap(surelyBehind));
  sure.delete(personBehind(actor));
  const isUnproved = all.some((each) => each.unproved);
  return {
    ...rest,
    also: [...also],
    ...proofTogether(
      isUnproved,
      all.flatMap((each) => each.vouchedBy ?? []),
    ),
    ...(isUnproved && sure.size > 0 && { sureInviters: [...sure] }),
    // Without `proofs`, everyone is proved by their own account.
    ...(!isPlain && {
      proofs: all.flatMap(proofsOf),
      ...(all.every((each) => !each.proofs || each.people) && {
        people: all.flatMap((each) => each.people ?? [{ id: personBehind(each), name: each.name }]),
      }),
    }),
  };
}

/**
 * Returns an actor with their current proof. The current proof of one person proves nothing about the people who acted
 * together with them, so old records that don't say who these are (`people`) are returned unchanged.
 */
export function asProvedNow(actor: RunActor, proofs: ProofsNow): RunActor {
  if (!actor.unproved && !actor.vouchedBy) return actor;
  if (actor.proofs && actor.people) return provedTogetherNow(actor, actor.proofs, actor.people, proofs);
  if (actor.proofs || actor.onBehalfOf) return actor;
  const now = proofs.get(personBehind(actor));
  if (!now) return actor;
  const { unproved: _, vouchedBy: __, ...rest } = actor;
  return { ...rest, ...now };
}

function provedTogetherNow(
  actor: RunActor,
  before: readonly (readonly string[])[],
  people: readonly { id: string }[],
  proofs: ProofsNow,
): RunActor {
  const { unproved: _, vouchedBy: __, ...rest } = actor;
  const now = people.map(({ id }, n) => {
    const [list = [], proof] = [before[n], proofs.get(id)];
    if (!proof || list.includes(id)) return list;
    return proof.unproved ? [] : (proof.vouchedBy ?? [id]);
  });
  const vouchers = people.flatMap(({ id }, n) => (now[n]?.includes(id) ? [] : (now[n] ?? [])));
  const isUnproved = now.some((list) => list.length === 0);
  return { ...rest, proofs: now, ...proofTogether(isUnproved, vouchers) };
}

/**
 * Returns the proof of people who act together, which is that of the weakest: nobody's if one of them isn't proved, or
 * that of the managers who vouch for some of them.
 */
function proofTogether(isUnproved: boolean, vouchers: readonly string[]): ProofNow {
  if (isUnproved) return { unproved: true };
  return vouchers.length > 0 ? { vouchedBy: [...new Set(vouchers)] } : {};
}

/** Returns those people in `peopleBehind` who are certainly behind the action. */
export const surelyBehind = (actor: RunActor): readonly string[] =>
  actor.unproved ? [personBehind(actor), ...(actor.sureInviters ?? [])] : peopleBehind(actor);

/**
 * Returns, for each of the people who act together, the accounts that prove this person: their own, or those of the
 * managers who vouch for them. An unproved person has none. If `proofs` isn't set, there is one list, with the accounts
 * of all these people.
 */
export const proofsOf = (actor: RunActor): readonly (readonly string[])[] =>
  actor.proofs ?? [actor.unproved ? [] : (actor.vouchedBy ?? peopleBehind(actor))];

/** Returns the name of an actor, with that of the delegator if there is one: 'Ben for Mara'. */
export const actorInWords = ({ name, onBehalfOf }: Pick<RunActor, 'name' | 'onBehalfOf'>): string =>
  onBehalfOf ? `${name} for ${onBehalfOf.name}` : name;

/** True if the action of another, unproved account counts as this person's. */
export const isUnprovedTie = (other: RunActor, by: RunActor): boolean =>
  other.unproved === true && personBehind(other) !== personBehind(by) && isSamePerson(other, by);

/**
 * True if the other account's action counts as this person's only because that account isn't proved, and someone else
 * could have caused that. For example, it has an address of this person's mailbox, or it joined with a link that others
 * saw. A step that names people only by address therefore still waits for this person, and their decision gets a mark.
 * Otherwise such an account could take the decision from them.
 */
export const isUncertainTie = (other: RunActor, by: RunActor): boolean =>
  isUnprovedTie(other, by) && !other.sureInviters?.includes(personBehind(by));

/** The server as an actor, for example of automated steps and SLA crossings. */
export const SYSTEM_ACTOR: RunActor = { id: 'system', name: 'system', email: '', kind: 'system' };

/** The part of a workflow version that a run needs. The steps have passed `checkGraph`. */
export type RunWorkflow = { steps: readonly Step[] };

/**
 * `actsFor` is absent if the step names the actor or nobody, `marks` if there are none. `addedBy` is the name of the
 * person who added the actor to the group or gave them the role; set for the marks `added_…` and `role_…`.
 */
type Done = { by: RunActor; at: number; actsFor?: ActsFor; marks?: readonly DecisionMark[]; addedBy?: string };

export type Vote = Done & { comments: string | null };

/** Someone's agreement to skip a step. */
export type SkipVote = Done & { reason: string };

/** `handedBy` is absent if nobody else handed the step over to the people who did it; see `giversOf`. */
export type Given = { handedBy?: readonly RunActor[] };

/** Input of a manual step that needs another person's approval. */
export type Submission = Done & Given & { output: JsonObject; notes: string | null };

/** The reason why a step must be done again. */
export type Return = Done & { comments: string };

/**
 * The latest rejection of an approval step, until it is approved. `by` is null if the run was rejected before this was
 * recorded. `retriedAlone` is set if the rejected people retried it themselves, because nobody else could.
 * `approvalMark` is set if strict review wouldn't have counted an approval by `by`, because they decide through a
 * membership or role from the people behind the work, directly or through others.
 */
export type Rejection = {
  by: RunActor | null;
  at: number;
  comments: string;
  marks?: readonly DecisionMark[];
  approvalMark?: AddedMark;
  retriedAlone?: boolean;
  retryMarks?: readonly DecisionMark[];
};

/**
 * `activation` is the number of times that the step has become active, including after returns and retries; a job's
 * report names the activation that it is about. `pausedMs` is the total pause since the activation; `dueAt` (null
 * without an SLA) includes it.
 */
type Began = {
  activation: number;
  activatedAt: number;
  dueAt: number | null;
  pausedMs: number;
  /** When the step becomes at risk; set if it has an SLA in working hours. */
  riskAt?: number;
  /** Absent until people were notified of the clock's first crossing. */
  told?: SlaNotified;
};

/**
 * The notifications about a clock. `at` is the time of the last one. After a breach, people are reminded every
 * `againAfterMs` (null: never), at most `MAX_REMINDERS` times. `reminders` counts the reminders so far.
 */
export type SlaNotified =
  | { state: 'at_risk'; at: number }
  | { state: 'breached'; at: number; againAfterMs: number | null; reminders: number };

/** The person or group that a step was handed over to. */
export type HandedTo =
  | { kind: 'person'; id: string; name: string; email: string }
  | { kind: 'group'; slug: string; name: string };

/**
 * A hand-over of an active step. A manual step then waits only for `to`. On an approval step, `to` takes the place of
 * `by`. `givers`: everyone through whose hand-overs a manual step reached `to`; absent if it was only `by`.
 */
export type HandOver = {
  by: RunActor;
  at: number;
  to: HandedTo;
  reason: string;
  isOfApproval?: true;
  givers?: readonly RunActor[];
};

export type WaitingStep = { state: 'waiting'; activation: number; rejected?: Rejection };

export type ActiveStep = Began & {
  state: 'active';
  votes: Vote[];
  /** Absent while nobody agrees to skip the step. */
  skipVotes?: SkipVote[];
  submitted: Submission | null;
  returned: Return | null;
  rejected?: Rejection;
  /** The person who claimed a manual step. */
  claimed?: { by: RunActor; at: number };
  /** The hand-overs in force; absent if there are none. A manual step has only the latest one. */
  handedOver?: HandOver[];
};

type CompletedStep = Began &
  Given & {
    state: 'completed';
    completedAt: number;
    by: RunActor;
    actsFor?: ActsFor;
    output: Json;
    votes: Vote[];
    submitted: Submission | null;
    report: StepReport | null;
    slaVerdict: SlaState | null;
    /** The used share of its SLA; set if the SLA is in working hours. */
    usedShare?: number;
  };

/**
 * `onward` distinguishes two kinds of skip. True: a person skipped an active step, and the run continues after it.
 * False: no taken branch led to the step, so it didn't become active and its `clock` is null. A step whose predecessors
 * are all skipped like this is skipped too.
 */
type SkippedStep = Given & {
  state: 'skipped';
  activation: number;
  skippedAt: number;
  by: RunActor;
  reason: string | null;
  /**
   * Everyone who agreed to skip and everyone who contributed before. Absent if it was only `by`, or if the step was
   * skipped before this was recorded.
   */
  hands?: RunActor[];
  /** The marks of everyone who agreed. */
  marks?: readonly DecisionMark[];
  rejected?: Rejection;
  slaVerdict: SlaState | null;
} & ({ onward: true; clock: Began } | { onward: false; clock: null });

type FailedStep = Began & {
  state: 'failed';
  failedAt: number;
  reason: string;
  /** True if the simulation that replaces a script failed. */
  simulated?: boolean;
  rejected?: Rejection;
  slaVerdict: SlaState | null;
};

/** One step of a run, a union on `state`. */
export type StepState = WaitingStep | ActiveStep | CompletedStep | SkippedStep | FailedStep;

/**
 * A run that was cancelled after a rejection or, if `isFailed` is set, failed because of one. `cancelledAt` is the time
 * of the cancellation or failure.
 */
export type RestartedRun = { runId: string; name: string; cancelledAt: number; isFailed?: true };

type RunBasics = {
  startedAt: number;
  startedBy: RunActor;
  /** The longest path through the steps' SLAs in milliseconds; null without any. */
  targetMs: number | null;
  /** Total length of all finished pauses. */
  pausedMs: number;
  /** When the run itself is due; set if working hours apply. */
  deadline?: Deadline;
  /** The notifications about the run's own clock, as in the clock of a step. */
  told?: SlaNotified;
  /**
   * A rejected run of the same workflow that ended in the seven days before this one was started; see `RestartedRun`.
   */
  restartOf?: RestartedRun;
  /** The time of the latest fact: no later fact is dated before it. */
  updatedAt: number;
};

/** A run without its steps, a union on `status`. */
export type RunHead = RunBasics &
  (
    | { status: 'running' }
    /** `by` and `reason` are absent from pauses older than these fields. */
    | { status: 'paused'; pausedSince: number; by?: RunActor; reason?: string | null; escalated?: boolean }
    | { status: 'completed'; endedAt: number }
    /** Not final: the failed step can be retried. */
    | { status: 'failed'; endedAt: number; stepId: string; reason: string }
    | { status: 'cancelled'; endedAt: number; by: RunActor; reason: string }
  );

/** The whole state of a run as plain JSON. `steps` has every step of the workflow by its id. */
export type RunState = RunHead & { steps: { [stepId: string]: StepState } };

export type RunStatus = RunState['status'];
export const RUN_STATUSES = [
  'running',
  'paused',
  'completed',
  'failed',
  'cancelled',
] as const satisfies readonly RunStatus[];

/**
 * Returns the state of one step. Undefined for an id that isn't a step of the run, even if every object has a property
 * of this name, such as `toString`.
 */
export function stepStateOf(state: RunState, stepId: string): StepState | undefined {
  return Object.hasOwn(state.steps, stepId) ? state.steps[stepId] : undefined;
}

/** Returns whether a step no longer blocks its successors. */
export function isDone(step: StepState | undefined): step is CompletedStep | SkippedStep {
  return step?.state === 'completed' || step?.state === 'skipped';
}

/** Returns the clock of the whole run, from its start to its target. */
export function ownClock({ startedAt, pausedMs, targetMs, deadline }: RunHead): Clock {
  return { activatedAt: startedAt, pausedMs, ...(deadline ?? { dueAt: dueAt(startedAt + pausedMs, targetMs) }) };
}

/**
 * Returns when the clocks of a run stopped permanently; null while they run or are paused. A failure doesn't stop the
 * clocks, because the run can be retried.
 */
export function clocksEndOf(run: RunHead): number | null {
  return run.status === 'failed' ? null : endOf(run);
}

/** Returns when a run was completed or cancelled, or failed; null while it is running or paused. */
export function endOf(run: RunHead): number | null {
  return run.status === 'running' || run.status === 'paused' ? null : run.endedAt;
}
