import { type Owned, deliveredTo, isOnePerson } from '../people/humans.ts';
import type { Role } from '../people/oracle.ts';
import { GROUP, type PlayedStep, isPerformedByServer } from './workflows.ts';

export type StepStateName = 'pending' | 'blocked' | 'active' | 'completed' | 'skipped' | 'failed';
/** The state of each step, as shown with the run. */
export type States = Readonly<Record<string, StepStateName>>;
export type Action = 'complete' | 'approve' | 'reject' | 'skip' | 'retry';
/** A claim, a release or a hand-over that the server granted. `to` is the id of an account, or `GROUP`. */
export type Held = { by: string; stepId: string; action: 'claim' | 'release' | 'hand over'; to?: string };

/** A granted call on a step, and its effect on the run. */
export type Acted = {
  by: string;
  /** The delegator, if `by` acted as their delegate. */
  onBehalfOf?: string;
  stepId: string;
  action: Action;
  reason: boolean;
  before: States;
  after: States;
  /** True if the run shows that the people whose work was rejected retried the step themselves. */
  retriedAlone: boolean;
  /** Whether the run marks this action, and whether it marks any decision of the step. */
  isMarked: boolean;
  isStepMarked: boolean;
};

/** The work that `to` does for `from`. `tasks` are manual steps; `votes` are approvals and decisions on input. */
export type Delegation = { id: string; from: string; to: string; kinds: readonly ('tasks' | 'votes')[] };

/** How an account is proved: by its address, by managers who confirmed it, as a founder, or not at all. */
export type Proof = 'address' | 'manager' | 'founder' | null;
/** A confirmation of an account, with this role, by a manager whose address is proved. */
export type Confirmed = { by: string; as: Role };

/** The person who made someone a member of the group or gave them a role, and the time. */
type Origin = { by: Hand; at: number };
/**
 * The people who did the work and those who handed it over. `isOne` compares them with the people from whom a power
 * came.
 */
type BehindWork = {
  doers: readonly Hand[];
  /** The doers and everyone who may count as one, for example someone who approved the input. */
  possibleDoers: readonly Hand[];
  givers: readonly Hand[];
  isOne: (one: Hand, other: Hand) => boolean;
};

/**
 * The person who removed members from the group, and the second manager who confirmed the removal, if there was one.
 */
type Removed = { proposedBy: string; confirmedBy?: string };

/**
 * An account that acted, and the other accounts to which its action was attributed at the time. `apart`: those of all of
 * these for which several people vouched then.
 */
type Hand = { id: string; also: readonly string[]; apart: readonly string[] };

type StepRecord = {
  votes: Hand[];
  skips: Hand[];
  submittedBy: Hand | null;
  /** The people who completed the step. Agreeing to a skip counts as completing it. */
  doneBy: Hand[];
  /** Everyone who contributed to the step. */
  hands: Hand[];
  overdue: boolean;
  /** The person who claimed a manual step. */
  claimedBy: string | null;
  /** The account to which a manual step was handed over, or `GROUP`. */
  givenTo: string | null;
  /** Everyone through whose hand-overs the current people got a manual step. */
  givers: Hand[];
  /** Everyone who handed over the work that was done, or the input that was submitted. */
  handedBy: Hand[];
  /** For approvals that were handed over: everyone who had the place. The current holder is last. */
  places: string[][];
};

const REVIEWERS: readonly Role[] = ['owner', 'admin', 'reviewer'];
const MANAGERS: readonly Role[] = ['owner', 'admin'];
const CONTROLLERS: readonly Role[] = ['owner', 'admin', 'editor', 'reviewer'];

/**
 * Follows a run through the calls that the server granted, and reports calls that pass a control with fewer people than
 * it requires. It is based on the promises in `docs/second-person.md`, and not on the code. Two accounts of one human
 * may count as two people only if they have two mailboxes, or if the run has a mark and the organization doesn't use
 * strict reviews. Two accounts of one mailbox never count as two people.
 */
export class RunOracle {
  private readonly records: Map<string, StepRecord>;
  private readonly roles = new Map<string, Role>();
  /** The person who gave each member their current role, and the time. Absent for roles from the beginning. */
  private readonly rolesGiven = new Map<string, Origin>();
  /** Everyone who got a role from someone, in order. */
  private readonly gifts: (Origin & { who: string })[] = [];
  /** Everyone who is or was an owner or admin. People who were one in the last 7 days could still be asked. */
  private readonly managers = new Set<string>();
  /** The members of the group, with the person who added them and the time. Times here only order events. */
  private readonly group = new Map<string, Origin>();
  /** The time at which each step first became active. */
  private readonly firstActive = new Map<string, number>();
  /** The time at which the run started, and everyone's role at that time. */
  private startedAt: number | null = null;
  private rolesAtStart: ReadonlyMap<string, Role> = new Map();
  private time = 0;
  private delegations: Delegation[] = [];
  /** The confirmations of each account. */
  private readonly confirmations = new Map<string, readonly Confirmed[]>();
  /** Accounts that are disabled now. They count as if their person had left more than 7 days ago. */
  private readonly disabled = new Set<string>();
  /** The account that started the run. */
  starter = '';
  editorsMayHelp = true;
  isStrict = false;

  /**
   * `behind` maps the id of each unproved account to its inviter. `proofs` contains only accounts whose address isn't
   * proved.
   */
  constructor(
    private readonly steps: readonly PlayedStep[],
    private readonly people: readonly Owned[],
    private readonly behind: ReadonlyMap<string, string> = new Map(),
    private readonly proofs: ReadonlyMap<string, Proof> = new Map([...behind.keys()].map((id) => [id, null])),
  ) {
    this.records = new Map(steps.map(({ id }) => [id, newRecord()]));
  }

  confirm(who: string, confirmed: readonly Confirmed[]): void {
    this.confirmations.set(who, confirmed);
  }
  confirmationsOf(who: string): readonly Confirmed[] {
    return this.confirmations.get(who) ?? [];
  }

  /** `by` is absent for roles that people have from the beginning. */
  setRole(who: string, role: Role, by?: string): void {
    if (by !== undefined && this.roles.get(who) !== role) {
      this.time += 1;
      this.rolesGiven.set(who, { by: this.handOf(by), at: this.time });
      this.gifts.push({ who, by: this.handOf(by), at: this.time });
    }
    this.roles.set(who, role);
    if (MANAGERS.includes(role)) this.managers.add(who);
  }
  /** With `handOver`, a manager gives the leaver's manual steps to someone in the same request. */
  remove(who: string, handOver?: { by: string; to: string; states: States }): void {
    this.roles.delete(who);
    this.rolesGiven.delete(who);
    this.group.delete(who);
    this.delegations = this.delegations.filter(({ from, to }) => from !== who && to !== who);
    for (const [stepId, record] of this.records) {
      const { claimedBy, givenTo, submittedBy } = record;
      const isTheirs = submittedBy === null && (claimedBy ?? givenTo) === who;
      if (handOver && isTheirs && handOver.states[stepId] === 'active') this.give(record, handOver.by, handOver.to);
      else letGo(record, who);
    }
  }
  /** The administrator of the server disables the account, which releases the steps that the person has. */
  disable(who: string): void {
    this.disabled.add(who);
    for (const record of this.records.values()) letGo(record, who);
  }
  enable(who: string): void {
    this.disabled.delete(who);
  }
  isDisabled(who: string): boolean {
    return this.disabled.has(who);
  }
  /** True if the person is a member and their account isn't disabled. */
  canAct(who: string): boolean {
    return this.roles.has(who) && !this.disabled.has(who);
  }
  delegate(delegation: Delegation): void {
    this.delegations.push(delegation);
  }
  endDelegation(id: string): void {
    this.delegations = this.delegations.filter((each) => each.id !== id);
  }
  /** True if the step is waiting for the person: they have claimed it or were given it, or the step names them. */
  isFor(who: string, stepId: string): boolean {
    return this.isNamed(who, this.stepOf(stepId));
  }
  listDelegations(): readonly Delegation[] {
    return this.delegations;
  }
  /**
   * Replaces the members of the group. Members who stay keep their joining time. Returns the promises that this breaks:
   * nobody is added whose account is disabled or who isn't a member of the organization.
   */
  setGroup(members: readonly string[], by: string): string[] {
    this.time += 1;
    const refused = members.filter((who) => !this.group.has(who) && !this.canAct(who));
    for (const who of this.group.keys()) if (!members.includes(who)) this.group.delete(who);
    for (const who of members) if (!this.group.has(who)) this.group.set(who, { by: this.handOf(by), at: this.time });
    return refused.map(
      (who) =>
        `${this.name(who)} was added to the group although ${this.disabled.has(who) ? 'their account is disabled' : 'they aren’t a member'}`,
    );
  }
  /**
   * Records a granted removal of members from the group. Returns the promises that it breaks: if a step names the
   * group, a second manager has to confirm the removal, unless there is none.
   */
  removeFromGroup(members: readonly string[], { proposedBy, confirmedBy }: Removed): string[] {
    const removed = members.filter((who) => this.group.delete(who));
    if (removed.length === 0 || !this.steps.some((step) => namesOf(step).includes(GROUP))) return [];
    const isSecond = (who: string, proofs: readonly Proof[] = ['address']): boolean =>
      !this.disabled.has(who) &&
      proofs.includes(this.proofOf(who)) &&
      !this.isKnownOne(this.handOf(who), this.handOf(proposedBy)) &&
      !this.areTied(who, proposedBy, { areManagers: true });
    if (confirmedBy !== undefined)
      return isSecond(confirmedBy, ['address', 'manager'])
        ? []
        : [`${this.name(confirmedBy)} confirmed a removal by ${this.name(proposedBy)}`];
    const others = this.members(MANAGERS).filter((who) => isSecond(who));
    return others.length === 0
      ? []
      : [
          `${this.name(proposedBy)} removed ${this.names(removed)} from the group alone, although ${this.names(others)} could confirm`,
        ];
  }
  isInGroup(who: string): boolean {
    return this.group.has(who);
  }
  roleOf(who: string): Role | undefined {
    return this.roles.get(who);
  }

  /** Records a granted call. Returns the promises that it breaks. */
  record(acted: Acted): string[] {
    const broken: string[] = [];
    const must: Must = (holds, what) => {
      if (!holds) broken.push(`${acted.action} of ${acted.stepId}: ${what}`);
    };
    const step = this.stepOf(acted.stepId);
    this.mustBeEnabled(acted.by, must);
    if (acted.onBehalfOf !== undefined) this.mustBeDelegated(acted, acted.onBehalfOf, step, must);
    if (acted.action === 'retry') this.retry(acted, step, must);
    else if (acted.action === 'skip') this.skip(acted, step, must);
    // Completing an approval step means approving it.
    else if (step.type === 'approval') this.decide(acted, step, must);
    else if (acted.action === 'complete') this.complete(acted, step, must);
    else this.decideInput(acted, step, must);
    this.follow(acted.after);
    return broken;
  }

  /**
   * A delegate does only the kind of work that was delegated, and only work that waits for the delegator. They can't
   * stand in for others, help, skip or retry for the delegator. For a decision, both must be proved.
   */
  private mustBeDelegated({ by, action }: Acted, delegator: string, step: PlayedStep, must: Must): void {
    const isTask = step.type === 'manual' && action === 'complete';
    const kind = isTask ? 'tasks' : 'votes';
    must(
      this.delegations.some(({ from, to, kinds }) => from === delegator && to === by && kinds.includes(kind)),
      `${this.name(delegator)} has not delegated ${kind} to ${this.name(by)}`,
    );
    must(
      this.canAct(by) && this.canAct(delegator),
      'by or for someone who is no longer a member, or whose account is disabled',
    );
    must(['complete', 'approve', 'reject'].includes(action), 'a delegate skips or retries nothing');
    must(this.isNamed(delegator, step), `it names ${step.assignee}, not ${this.name(delegator)}`);
    if (isTask) return;
    this.mustDecide(by, must);
    this.mustDecide(delegator, must);
    const { votes } = this.recordOf(step.id);
    const isUsed = ({ id, also }: Hand): boolean => [by, delegator].some((one) => one === id || also.includes(one));
    if (step.type === 'approval' && action !== 'reject')
      must(!votes.some(isUsed), `${this.name(by)} or ${this.name(delegator)} has used their vote`);
  }

  /**
   * The account of someone who acts on a step, together with the delegator and everyone who handed over their place.
   */
  private actingHand({ by, onBehalfOf }: Pick<Acted, 'by' | 'onBehalfOf'>, step?: PlayedStep): Hand {
    const handOn = (who: string): Hand => (step ? this.handIn(who, step) : this.handOf(who));
    if (onBehalfOf === undefined) return handOn(by);
    const own = this.handOf(by);
    const lent = handOn(onBehalfOf);
    return { id: by, also: [...own.also, lent.id, ...lent.also], apart: [...own.apart, ...lent.apart] };
  }

  /** Returns the account or the group that has claimed the step or was given it. */
  holderOf(stepId: string): string | undefined {
    const { claimedBy, givenTo, places } = this.recordOf(stepId);
    return claimedBy ?? givenTo ?? places[0]?.at(-1);
  }

  /** True if the person handed their place in an approval step over to someone who may be unable to decide it. */
  handedOverInVain(who: string, stepId: string, states: States): boolean {
    const step = this.stepOf(stepId);
    const way = this.recordOf(stepId).places.find((each) => each.slice(0, -1).includes(who));
    const holder = way?.at(-1);
    return holder !== undefined && !(this.canDecide(holder) && this.surelyCounts(holder, step, states));
  }

  /** Records a granted claim, release or hand-over. Returns the promises that it breaks. */
  recordHeld({ by, stepId, action, to }: Held, states: States): string[] {
    const broken: string[] = [];
    const must: Must = (holds, what) => {
      if (!holds) broken.push(`${action} of ${stepId}: ${what}`);
    };
    const step = this.stepOf(stepId);
    const record = this.recordOf(stepId);
    this.mustBeEnabled(by, must);
    must(states[stepId] === 'active', 'the step is not active');
    if (action === 'claim') {
      must(step.type === 'manual' && record.submittedBy === null, 'nothing to do in it');
      must(record.claimedBy === null, `it is ${this.names([record.claimedBy ?? by])}'s already`);
      must(this.isNamed(by, step), `it names ${step.assignee}, not ${this.name(by)}`);
      record.claimedBy = by;
    } else if (action === 'release') {
      const has = [record.claimedBy, record.givenTo, ...record.places.map((way) => way.at(-1))].includes(by);
      const isManaged = step.type === 'manual' && this.can(by, MANAGERS);
      const given = has ? undefined : record.places.find((way) => way.includes(by));
      must(has || isManaged || given !== undefined, `${this.name(by)} doesn't have it`);
      if (given) {
        const next = given.slice(0, given.indexOf(by) + 1);
        record.places = [...record.places.filter((way) => way !== given), ...(next.length > 1 ? [next] : [])];
      } else letGo(record, has ? by : (record.claimedBy ?? record.givenTo ?? ''));
    } else if (to !== undefined) this.handOver({ by, step, record, to }, states, must);
    return broken;
  }

  private handOver(
    { by, step, record, to }: { by: string; step: PlayedStep; record: StepRecord; to: string },
    states: States,
    must: Must,
  ): void {
    must(to !== by, 'handed over to oneself');
    must(to === GROUP ? this.group.size > 0 : this.canAct(to), 'handed over to nobody');
    if (step.type === 'manual') {
      must(record.submittedBy === null, 'handed over after its input was submitted');
      must(this.isNamed(by, step) || this.can(by, MANAGERS), `it names ${step.assignee}, not ${this.name(by)}`);
      this.give(record, by, to);
      return;
    }
    must(to !== GROUP, 'an approval was handed over to a group');
    if (to === GROUP) return;
    must(this.hasPlace(by, step), `${this.name(by)} has no place of their own among ${step.assignee}`);
    this.mustDecide(by, must);
    const given = this.handOf(to);
    for (const hand of [this.handIn(by, step), given]) {
      const used = [...record.votes, ...record.skips];
      must(!used.some((other) => this.isKnownOne(other, hand)), `${this.name(hand.id)} has used their vote`);
      if (!step.config.separateFrom) continue;
      const isFor = isForAddressOf(step, this.name(hand.id)) && hand.id === by && record.places.length === 0;
      const doers = this.lastPeople(step, states).filter((doer) => !isFor || !this.isOnlyClaimed(doer, by));
      must(!doers.some((doer) => this.isKnownOne(doer, hand)), `${this.name(hand.id)} did the work before it`);
    }
    const way = record.places.find((each) => each.at(-1) === by) ?? [by];
    const back = way.indexOf(to);
    const next = back === -1 ? [...way, to] : way.slice(0, back + 1);
    record.places = [...record.places.filter((each) => each !== way), ...(next.length > 1 ? [next] : [])];
  }

  private give(record: StepRecord, by: string, to: string): void {
    record.givenTo = to;
    record.claimedBy = null;
    const back = record.givers.findIndex(({ id }) => id === to);
    record.givers =
      back === -1 ? [...record.givers.filter(({ id }) => id !== by), this.handOf(by)] : record.givers.slice(0, back);
  }

  /** Returns the account or the group that has a manual step with unfinished work. Undefined if nobody has it. */
  performerOf(stepId: string): string | undefined {
    const { claimedBy, givenTo, submittedBy } = this.recordOf(stepId);
    return submittedBy === null ? (claimedBy ?? givenTo ?? undefined) : undefined;
  }

  /**
   * True if someone handed their place to the person. Also true if an approval step names them by address or as the
   * starter and they haven't handed this place over.
   */
  private hasPlace(who: string, step: PlayedStep): boolean {
    const { places } = this.recordOf(step.id);
    if (places.some((way) => way.at(-1) === who)) return true;
    return !places.some((way) => way.includes(who)) && this.isNamedAlone(who, step);
  }

  private isNamedAlone(who: string, step: PlayedStep): boolean {
    return namesOf(step).some((name) => name === this.owned(who).email || (name === 'starter' && who === this.starter));
  }

  /**
   * The people behind a decision on a step: the person who decides, and everyone who handed their place over to them.
   */
  private handIn(who: string, step: PlayedStep): Hand {
    const hand = this.handOf(who);
    const way = this.recordOf(step.id).places.find((each) => each.at(-1) === who) ?? [];
    const givers = way.slice(0, -1).map((id) => this.handOf(id));
    return {
      ...hand,
      also: [...hand.also, ...givers.flatMap(({ id, also }) => [id, ...also])],
      apart: [...hand.apart, ...givers.flatMap(({ apart }) => apart)],
    };
  }

  /**
   * Records the start of the run and the first activation of each step. Clears the records of steps that haven't
   * started, or that are active again, in these states.
   */
  follow(after: States): void {
    if (this.startedAt === null) {
      this.startedAt = this.time;
      this.rolesAtStart = new Map(this.roles);
    }
    for (const { id } of this.steps) {
      if (after[id] === 'active' && !this.firstActive.has(id)) this.firstActive.set(id, this.time);
      const isBack = after[id] === 'active' && this.recordOf(id).doneBy.length > 0;
      if (isBack || after[id] === 'pending' || after[id] === 'blocked') this.records.set(id, newRecord());
    }
  }

  /** Records that the step has been overdue for 24 working hours. */
  nowOverdue(stepId: string): void {
    this.recordOf(stepId).overdue = true;
  }

  /**
   * True if people who can still act are certainly able to complete an active step or retry a failed one. False in case
   * of doubt.
   */
  canBeFinished(stepId: string, states: States): boolean {
    const step = this.stepOf(stepId);
    const record = this.recordOf(stepId);
    if (states[stepId] === 'failed') return this.members(CONTROLLERS).some((who) => this.canDecide(who));
    if (step.type === 'manual') {
      const able =
        record.submittedBy === null
          ? this.memberIds()
              .filter((who) => this.canDoManual(who, step))
              .map((who) => this.handOf(who))
          : [record.submittedBy];
      if (!step.config.requiresApproval) return able.length > 0;
      // Under strict review, a decision on the input by someone who handed it over doesn't count.
      const uncounted = this.isStrict ? [...record.givers, ...record.handedBy] : [];
      return able.some(
        (hand) =>
          this.isSurelySomeone(hand) &&
          uncounted.every((giver) => this.isSurelySomeone(giver)) &&
          this.members(MANAGERS).some((other) => this.canDecide(other) && !this.isAmong(other, [hand, ...uncounted])),
      );
    }
    if (step.type !== 'approval') return true;
    const barred = this.handsToAvoid(step, states);
    if (![...barred, ...record.votes].every((hand) => this.isSurelySomeone(hand))) return false;
    const needed = needs(step) - this.count(record.votes);
    const able = this.memberIds().filter(
      (who) => this.canDecide(who) && !this.isAmong(who, [...barred, ...record.votes]),
    );
    const named = able.filter((who) => this.surelyCounts(who, step, states));
    if (this.countOf(named) >= needed) return true;
    return this.countOf([...named, ...able.filter((who) => this.surelyStandsIn(who, step, states))]) >= needed;
  }

  /**
   * False if the organization is strict and the account's address isn't proved, because the action may then not count.
   */
  private isSurelySomeone({ id, also }: Hand): boolean {
    return !this.isStrict || [id, ...also].every((each) => this.proofOf(each) === 'address');
  }

  // Votes ------------------------------------------------------------------------------------------------------------

  private decide(acted: Acted, step: PlayedStep, must: Must): void {
    const { by, after } = acted;
    const record = this.recordOf(step.id);
    this.mustBeEntitled(acted, step, must);
    const hand = this.actingHand(acted, step);
    if (acted.action === 'reject') {
      must(after[step.id] !== 'completed', 'a rejection completed it');
      record.hands.push(hand);
      record.votes = [];
      record.skips = [];
      return;
    }
    must(!record.votes.some(({ id }) => id === by), 'the same account voted twice');
    record.votes.push(hand);
    if (after[step.id] === 'completed') {
      this.mustBePeople('passed', record.votes, needs(step), acted, must);
      this.end(step.id, [hand], record.votes);
    }
  }

  private skip(acted: Acted, step: PlayedStep, must: Must): void {
    const { by, after, reason } = acted;
    const record = this.recordOf(step.id);
    must(reason, 'without a reason');
    if (step.type === 'approval') this.mustBeEntitled(acted, step, must);
    else if (step.config.requiresApproval) this.mustDecide(by, must);
    record.skips.push(step.type === 'approval' ? this.handIn(by, step) : this.handOf(by));
    if (after[step.id] !== 'skipped') return;
    record.handedBy = [...record.handedBy, ...record.givers.filter(({ id }) => id !== by)];
    const needed = step.type === 'approval' ? needs(step) : step.config.requiresApproval ? 2 : 1;
    this.mustBePeople('skipped', record.skips, needed, acted, must);
    // People who approved the step before it was skipped also contributed to it.
    this.end(step.id, record.skips, [...record.skips, ...record.votes]);
  }

  private mustBePeople(
    what: string,
    hands: readonly Hand[],
    needed: number,
    { isStepMarked }: Acted,
    must: Must,
  ): void {
    const known = this.count(hands, this.isKnownOne);
    must(known >= needed, `${what} by ${known} of ${needed} people: ${this.namesOf(hands)}`);
    const people = this.count(hands, (one, other) => this.isOne(one, other) || this.mayShareVoucher(one, other));
    must(
      people >= needed || (isStepMarked && !this.isStrict),
      `${what} by ${people} of ${needed} people without a mark: ${this.namesOf(hands)}`,
    );
  }

  /**
   * Checks that the person differs from the people who acted before. If two accounts of one human can't be recognized
   * as one, the decision must be marked.
   */
  private mustBeApart(
    { by, onBehalfOf = by, isMarked }: Pick<Acted, 'by' | 'onBehalfOf' | 'isMarked'>,
    hands: readonly Hand[],
    what: string,
    must: Must,
    { isNamed = false, hand = this.actingHand({ by, onBehalfOf }) }: { isNamed?: boolean; hand?: Hand } = {},
  ): void {
    const who = onBehalfOf === by ? this.name(by) : `${this.name(by)} for ${this.name(onBehalfOf)}`;
    const description = `${who} ${what}: ${this.namesOf(hands)}`;
    const isClaimed = (other: Hand): boolean => [by, onBehalfOf].every((one) => this.isOnlyClaimed(other, one));
    const others = isNamed ? hands.filter((other) => !isClaimed(other)) : hands;
    must(!others.some((other) => this.isKnownOne(other, hand)), description);
    must(
      !hands.some((other) => this.isOne(other, hand) || this.mayShareVoucher(other, hand)) ||
        (isMarked && !this.isStrict),
      `${description}, without a mark`,
    );
  }

  /**
   * True if there is an unproved account among these, and neither this person nor another proved account of their
   * mailbox acted or invited it. Anyone can choose the address of an unproved account, so the address doesn't identify
   * its human.
   */
  private isOnlyClaimed({ id, also }: Hand, by: string): boolean {
    const all = [id, ...also];
    const isProvedTwin = (one: string): boolean =>
      this.proofOf(one) === 'address' &&
      (one === id || this.proofOf(by) === 'address') &&
      deliveredTo(this.name(one)) === deliveredTo(this.name(by));
    return all.some((one) => this.proofOf(one) === null) && !all.some((one) => one === by || isProvedTwin(one));
  }

  private mustDecide(by: string, must: Must): void {
    must(this.canDecide(by), `${this.name(by)} decides although nobody has proved them`);
  }

  /**
   * Checks that separation of duties doesn't exclude the person, and that they may decide. They may if the step names
   * them, if it names nobody and they are a reviewer, or if they stand in as an owner or admin.
   */
  private mustBeEntitled(acted: Acted, step: PlayedStep, must: Must): void {
    const { by, onBehalfOf: owner = by, before, after, reason, action } = acted;
    this.mustDecide(by, must);
    // A rejection may make earlier steps active again.
    const states = action === 'reject' ? before : after;
    if (action !== 'reject' && step.config.separateFrom)
      this.mustBeApart(acted, this.lastPeople(step, states), 'did the work before it', must, {
        isNamed: isForAddressOf(step, this.name(owner)) && this.recordOf(step.id).places.length === 0,
        hand: this.actingHand(acted, step),
      });
    const givers = step.config.separateFrom ? this.giversBefore(step, states) : [];
    if (action !== 'reject') this.mustBeMarkedIfGiver(acted, this.actingHand(acted, step), givers, must);
    const doers = step.config.separateFrom ? this.lastPeople(step, states) : [];
    const possibleDoers = step.config.separateFrom ? this.handsBefore(step, states) : [];
    const behind = { doers, possibleDoers, givers, isOne: this.isKnownOne };
    const membership = this.powerOn(owner, step, behind);
    const isBarred = action !== 'reject' && membership === 'barred';
    // The mark shows that the person was added late, or by someone who may be behind the work.
    const needsMark = membership !== 'free' && action !== 'reject' && !acted.isMarked;
    // Without the mark, an owner or admin may have stood in. The server also bars powers in cases of doubt, for example
    // from someone for whom a delegate did the work.
    const mayStandIn = needsMark && owner === by && this.can(by, MANAGERS) && reason;
    if (this.isNamed(owner, step) && !isBarred && !mayStandIn) {
      must(
        !needsMark,
        `${this.name(owner)} was added or given the role late, or by someone behind the work, without a mark`,
      );
      return;
    }
    // A delegate never stands in for others.
    if (owner !== by) {
      must(false, `${this.name(owner)}, for whom ${this.name(by)} acts, doesn't count`);
      return;
    }
    if (isBarred && !this.can(by, MANAGERS))
      must(
        false,
        `${this.name(by)} was added to the group, or given the role, by someone who did the work or handed it over`,
      );
    must(this.can(by, MANAGERS), `it names ${step.assignee}, not ${this.name(by)}`);
    must(reason, 'an owner or admin stood in without a reason');
    must(
      action === 'reject' || this.powerOfRole(by, step, behind) !== 'barred',
      `${this.name(by)} stood in through a role that came from someone who did the work`,
    );
    const record = this.recordOf(step.id);
    const already = action === 'skip' ? record.skips : record.votes;
    // A person who has already approved or agreed to the skip isn't counted as available again.
    const canBeBarred = this.handsToAvoid(step, states);
    const done = [...record.skips, ...record.votes, ...canBeBarred];
    const missing = needs(step) - this.count(already);
    const able = this.memberIds().filter(
      (who) => this.surelyCounts(who, step, states) && this.canDecide(who) && !this.isAmong(who, done),
    );
    must(
      record.overdue || this.countOf(able) < missing,
      `an owner or admin stood in although ${this.names(able)} could`,
    );
    if (action !== 'skip' || record.overdue) return;
    const voters = this.memberIds().filter(
      (who) =>
        this.surelyCounts(who, step, states) &&
        this.canDecide(who) &&
        !this.isAmong(who, [...record.votes, ...canBeBarred]),
    );
    must(
      this.countOf(voters) < needs(step) - this.count(record.votes),
      `an owner or admin skipped it although ${this.names(voters)} could decide it`,
    );
  }

  // Manual steps -----------------------------------------------------------------------------------------------------

  private complete(acted: Acted, step: PlayedStep, must: Must): void {
    const { by, onBehalfOf, after } = acted;
    const record = this.recordOf(step.id);
    const hand = this.actingHand(acted);
    must(step.type === 'manual', 'completed by a person');
    must(onBehalfOf !== undefined || this.canDoManual(by, step), `it names ${step.assignee}, not ${this.name(by)}`);
    if (step.config.requiresApproval) {
      must(after[step.id] === 'active', 'passed without the approval of its input');
      record.submittedBy = hand;
      record.handedBy = record.givers.filter(({ id }) => id !== by);
      record.hands.push(hand);
      return;
    }
    record.handedBy = record.givers.filter(({ id }) => id !== by);
    this.end(step.id, [hand], [hand]);
  }

  /** A decision on the work by someone who handed it over is marked, and doesn't count under strict review. */
  private mustBeMarkedIfGiver(
    { by, isMarked }: Pick<Acted, 'by' | 'isMarked'>,
    hand: Hand,
    givers: readonly Hand[],
    must: Must,
  ): void {
    must(
      !givers.some((giver) => this.isOne(giver, hand)) || (isMarked && !this.isStrict),
      `${this.name(by)} handed the work over: ${this.namesOf(givers)}, without a mark`,
    );
  }

  private decideInput(acted: Acted, step: PlayedStep, must: Must): void {
    const { by, action, after } = acted;
    const record = this.recordOf(step.id);
    const submitter = record.submittedBy;
    must(submitter !== null, 'no input was submitted');
    this.mustDecide(by, must);
    if (submitter === null) return;
    const hand = this.actingHand(acted);
    record.hands.push(hand);
    if (action === 'reject') {
      record.submittedBy = null;
      return;
    }
    this.mustBeApart(acted, [submitter], 'approved the input of', must);
    this.mustBeMarkedIfGiver(acted, hand, record.handedBy, must);
    if (after[step.id] === 'completed') this.end(step.id, [submitter], [submitter, hand]);
  }

  /**
   * After a rejection, someone other than the people whose work was rejected has to retry. If nobody else can, they can
   * do it themselves, and the run shows this.
   */
  private retry({ by, before, retriedAlone, isStepMarked }: Acted, step: PlayedStep, must: Must): void {
    must(this.can(by, CONTROLLERS), "by someone who can't control runs");
    const rejected = this.lastPeople(step, before);
    const hand = this.handOf(by);
    if (step.type === 'approval') this.mustDecide(by, must);
    if (step.type === 'approval' && rejected.some((other) => this.isOne(other, hand))) {
      const hands = this.handsBefore(step, before);
      const others = this.members(CONTROLLERS).filter((who) => this.canDecide(who) && !this.isAmong(who, hands));
      const isKnown = rejected.some((other) => this.isKnownOne(other, hand));
      must(
        others.length === 0 || (!isKnown && isStepMarked),
        `${this.name(by)} retried over the rejection of their own work although ${this.names(others)} could`,
      );
      must(retriedAlone || (!isKnown && isStepMarked), "retried by the rejected people, but the run doesn't show that");
    }
    this.records.set(step.id, newRecord());
  }

  private canDoManual(who: string, step: PlayedStep): boolean {
    if (this.isNamed(who, step) || this.can(who, MANAGERS)) return true;
    const role = this.roles.get(who);
    const { claimedBy, givenTo, submittedBy } = this.recordOf(step.id);
    const isHeld = submittedBy === null && (claimedBy ?? givenTo) !== null;
    return role === 'editor' && (this.editorsMayHelp || (namesNobody(step) && !isHeld));
  }

  // Who did what -----------------------------------------------------------------------------------------------------

  private end(stepId: string, doneBy: readonly Hand[], hands: readonly Hand[]): void {
    const record = this.recordOf(stepId);
    record.doneBy = [...doneBy];
    record.hands = [...record.hands, ...hands];
  }

  private before(step: PlayedStep): PlayedStep[] {
    return this.steps.filter(({ next }) => next.includes(step.id));
  }

  /** The last people on every path to the step, looking back past server steps and skipped steps. */
  private lastPeople(step: PlayedStep, states: States): Hand[] {
    return this.walk(step, states, ({ doneBy }) => doneBy);
  }

  /** Everyone who may count as having done the previous work. Includes doubtful cases. */
  private handsBefore(step: PlayedStep, states: States): Hand[] {
    return this.walk(step, states, ({ hands, doneBy }) => [...hands, ...doneBy]);
  }

  /** Everyone who handed the previous work over. */
  private giversBefore(step: PlayedStep, states: States): Hand[] {
    return this.walk(step, states, ({ handedBy }) => handedBy);
  }

  /** Everyone whose approval may not count because of the previous work. */
  private handsToAvoid(step: PlayedStep, states: States): Hand[] {
    if (!step.config.separateFrom) return [];
    return [...this.handsBefore(step, states), ...(this.isStrict ? this.giversBefore(step, states) : [])];
  }

  private walk(step: PlayedStep, states: States, read: (record: StepRecord) => Hand[]): Hand[] {
    return this.before(step).flatMap((each) => {
      const own = read(this.recordOf(each.id));
      const goesOn = isPerformedByServer(each) || states[each.id] === 'skipped';
      return goesOn ? [...own, ...this.walk(each, states, read)] : own;
    });
  }

  private isAmong(who: string, hands: readonly Hand[]): boolean {
    const hand = this.handOf(who);
    return hands.some((other) => this.isOne(other, hand) || (this.isStrict && this.mayShareVoucher(other, hand)));
  }

  // People -----------------------------------------------------------------------------------------------------------

  private isNamed(who: string, step: PlayedStep): boolean {
    const role = this.roles.get(who);
    if (role === undefined) return false;
    const { claimedBy, givenTo, submittedBy, places } = this.recordOf(step.id);
    // Once the input is submitted, the step is for the people it names again.
    if (submittedBy === null && claimedBy !== null) return claimedBy === who;
    if (submittedBy === null && givenTo !== null) return givenTo === GROUP ? this.group.has(who) : givenTo === who;
    if (places.some((way) => way.at(-1) === who)) return true;
    if (places.some((way) => way.slice(0, -1).some((id) => this.isKnownOne(this.handOf(id), this.handOf(who)))))
      return false;
    if (namesNobody(step))
      return step.type === 'approval'
        ? REVIEWERS.includes(role)
        : role === 'owner' || role === 'admin' || role === 'editor';
    return this.isNamedWithoutGroup(who, step) || (namesOf(step).includes(GROUP) && this.group.has(who));
  }

  private isNamedWithoutGroup(who: string, step: PlayedStep): boolean {
    const role = this.roles.get(who);
    if (role === undefined) return false;
    const own = [this.owned(who).email, role, ...(who === this.starter ? ['starter'] : [])];
    return step.config.assignedRole === role || namesOf(step).some((name) => own.includes(name));
  }

  /**
   * Determines whether an approval counts if the step names the person through the group or a role: without a mark,
   * with one, or not at all. If the step also names the person in another way, it counts without a mark.
   */
  private powerOn(who: string, step: PlayedStep, behind: BehindWork): Power {
    if (step.type !== 'approval' || this.isNamedAlone(who, step) || this.hasPlace(who, step)) return 'free';
    const powers: Power[] = [];
    const membership = this.group.get(who);
    if (membership && namesOf(step).includes(GROUP)) powers.push(this.powerFrom(membership, who, step, behind));
    if (this.isNamedByRole(who, step)) powers.push(this.powerOfRole(who, step, behind));
    return powers.includes('free') || powers.length === 0 ? 'free' : powers.includes('marked') ? 'marked' : 'barred';
  }

  /**
   * Determines whether an approval through the person's role counts. All roles that they got during the run matter for
   * its mark. Without strict review, only the last of these roles can certainly bar it.
   */
  private powerOfRole(who: string, step: PlayedStep, behind: BehindWork): Power {
    const startedAt = this.startedAt ?? 0;
    const given = this.rolesGiven.get(who);
    // Roles that people had when the run started don't matter.
    if (given === undefined || given.at <= startedAt) return 'free';
    const before = this.rolesAtStart.get(who);
    const role = this.roles.get(who);
    if (before !== undefined && (before === role || (before === 'owner' && role === 'admin'))) return 'free';
    const isOldManager = this.wasManager(who) && behind.isOne === this.isKnownOne;
    if (!isOldManager && this.powerFrom(given, who, step, behind) === 'barred') return 'barred';
    const powers = this.gifts
      .filter((gift) => gift.who === who && gift.at > startedAt)
      .map((gift) => this.powerFrom(gift, who, step, behind));
    if (powers.includes('barred') && (this.isStrict || behind.isOne === this.isOne)) return 'barred';
    return powers.every((power) => power === 'free') ? 'free' : 'marked';
  }

  private wasManager(who: string): boolean {
    return MANAGERS.some((role) => this.rolesAtStart.get(who) === role);
  }

  private powerFrom({ by, at }: Origin, who: string, step: PlayedStep, behind: BehindWork): Power {
    const { doers, possibleDoers, givers, isOne } = behind;
    const first = this.firstActive.get(step.id);
    const isInRun = at > (this.startedAt ?? 0);
    const sources = isInRun ? this.through(by, isOne) : [by];
    const comesFrom = (people: readonly Hand[]): boolean =>
      people.some((one) => sources.some((source) => isOne(one, source)));
    const isOwn = isInRun && isOne(by, this.handOf(who));
    const isLate = first !== undefined && at > first;
    // A power from the only voucher of an account behind the work, or from an account for which only someone behind the
    // work vouches, or if one person vouches for both.
    const isTied = [...doers, ...givers].some((one) =>
      sources.some((source) =>
        isOne === this.isOne
          ? this.mayShareVoucher(one, source) || this.areTied(one.id, source.id)
          : one.also.length === 0 && one.apart.length === 0 && this.areTied(one.id, source.id),
      ),
    );
    if (!comesFrom(doers) && !comesFrom(givers) && !isTied && !isOwn && !isLate) return 'free';
    // Without another manager, nobody else could have given the power. It certainly counts only if nobody behind it did
    // the work, and is certainly barred only if the account that did the work gave it.
    const isBarring =
      comesFrom(doers) &&
      isInRun &&
      (isOne === this.isOne || (this.isSurelyFrom({ by, at }, doers) && this.hasOtherManager(who, possibleDoers)));
    return this.isStrict || isBarring ? 'barred' : 'marked';
  }

  /**
   * True if one of the accounts that did the work gave the power, or the role of the person who gave it, and so on.
   * Roles of people who were managers when the run started don't come from anyone.
   */
  private isSurelyFrom({ by, at }: Origin, doers: readonly Hand[]): boolean {
    if (doers.some(({ id }) => id === by.id)) return true;
    const earlier = this.gifts.filter((gift) => gift.who === by.id && gift.at > (this.startedAt ?? 0) && gift.at < at);
    const last = earlier.at(-1);
    return last !== undefined && !this.wasManager(by.id) && this.isSurelyFrom(last, doers);
  }

  /**
   * The person and everyone from whom they got a role during the run, directly or through others. Roles of people who
   * were managers when the run started don't require a mark.
   */
  private through(hand: Hand, isOne: BehindWork['isOne']): Hand[] {
    const found = [hand];
    const given = this.gifts.filter(
      ({ who, at }) => at > (this.startedAt ?? 0) && (isOne === this.isOne || !this.wasManager(who)),
    );
    for (const each of found)
      for (const { who, by } of given)
        if (isOne(this.handOf(who), each) && !found.some(({ id }) => id === by.id)) found.push(by);
    return found;
  }

  /**
   * True if there certainly is a manager other than this person, the people who did the work, and everyone who got a
   * role during the run.
   */
  private hasOtherManager(who: string, doers: readonly Hand[]): boolean {
    return this.members(MANAGERS).some(
      (manager) =>
        this.proofOf(manager) === 'address' &&
        ![this.handOf(who), ...doers].some((one) => this.isOne(one, this.handOf(manager))) &&
        !this.gifts.some((gift) => gift.who === manager && gift.at > (this.startedAt ?? 0)),
    );
  }

  private isNamedByRole(who: string, step: PlayedStep): boolean {
    const role = this.roles.get(who);
    return role !== undefined && (step.config.assignedRole === role || namesOf(step).includes(role));
  }

  /**
   * True if the step names the person, and certainly nobody behind the work gave them the membership or role in a way
   * that bars them.
   */
  private surelyCounts(who: string, step: PlayedStep, states: States): boolean {
    return this.isNamed(who, step) && this.powerOn(who, step, this.allBehind(step, states)) !== 'barred';
  }

  /**
   * True if the person could stand in, and certainly nobody behind the work made them a manager in a way that bars
   * them.
   */
  private surelyStandsIn(who: string, step: PlayedStep, states: States): boolean {
    return this.can(who, MANAGERS) && this.powerOfRole(who, step, this.allBehind(step, states)) !== 'barred';
  }

  /** Everyone who may count as behind the work that the step is separated from. */
  private allBehind(step: PlayedStep, states: States): BehindWork {
    const doers = step.config.separateFrom ? this.handsBefore(step, states) : [];
    const givers = step.config.separateFrom ? this.giversBefore(step, states) : [];
    return { doers, possibleDoers: doers, givers, isOne: this.isOne };
  }

  private can(who: string, roles: readonly Role[]): boolean {
    const role = this.roles.get(who);
    return role !== undefined && roles.includes(role) && !this.disabled.has(who);
  }

  private mustBeEnabled(who: string, must: Must): void {
    must(!this.disabled.has(who), `${this.name(who)} acts although their account is disabled`);
  }

  /** The members whose account isn't disabled. */
  private memberIds(): string[] {
    return [...this.roles.keys()].filter((who) => !this.disabled.has(who));
  }

  private members(roles: readonly Role[]): string[] {
    return this.memberIds().filter((who) => this.can(who, roles));
  }

  private owned(id: string): Owned {
    const found = this.people.find((each) => each.id === id);
    if (!found) throw new Error(`the oracle knows no account ${id}`);
    return found;
  }

  private proofOf(id: string): Proof {
    const own = this.proofs.has(id) ? (this.proofs.get(id) ?? null) : 'address';
    return own !== 'address' && this.vouchersOf(id).length > 0 ? 'manager' : own;
  }
  isProved(id: string): boolean {
    return this.proofOf(id) !== null;
  }
  hasProvedAddress(id: string): boolean {
    return this.proofOf(id) === 'address';
  }
  /** True if an account of the other one's mailbox ever confirmed the account. */
  isVouchedBy(id: string, other: string): boolean {
    const isOfMailbox = ({ by }: Confirmed): boolean => deliveredTo(this.name(by)) === deliveredTo(this.name(other));
    return (this.confirmations.get(id) ?? []).some(isOfMailbox);
  }

  /**
   * The managers whose confirmations cover the account's current role. With `asManager`, only those who confirmed it as a
   * manager, if there are any.
   */
  private vouchersOf(id: string, { asManager = false } = {}): string[] {
    const role = this.roles.get(id);
    const all = this.confirmations.get(id) ?? [];
    const managers = all.filter(({ as }) => MANAGERS.includes(as));
    const covering = all.filter(
      ({ as }) =>
        MANAGERS.includes(as) ||
        role === undefined ||
        !REVIEWERS.includes(role) ||
        (role === 'reviewer' && as === 'reviewer'),
    );
    return (asManager && managers.length > 0 ? managers : covering).map(({ by }) => by);
  }

  /** The mailboxes that prove an account: its own, or those of the managers who vouch for it. */
  private provingMailboxes(id: string, { asManager = false } = {}): string[] {
    const accounts = this.proofs.has(id) ? this.vouchersOf(id, { asManager }) : [id];
    return [...new Set(accounts.map((each) => deliveredTo(this.name(each))))];
  }

  /** True if one mailbox alone proves both accounts, of which the second one and, if `areManagers`, both manage. */
  private areTied(one: string, manager: string, { areManagers = false } = {}): boolean {
    const words = this.provingMailboxes(one, { asManager: areManagers });
    const others = this.provingMailboxes(manager, { asManager: true });
    return words.length === 1 && others.length === 1 && words[0] === others[0];
  }

  /**
   * True if one of the people behind the one action alone vouches for one behind the other, or somebody alone for both. An
   * account for which several people vouch isn't tied to any of them.
   */
  private mayShareVoucher(a: Hand, b: Hand): boolean {
    const words = (hand: Hand): string[] =>
      [hand.id, ...hand.also].flatMap((id) => {
        const mailboxes = this.provingMailboxes(id);
        return mailboxes.length > 1 || hand.apart.includes(id) ? [deliveredTo(this.name(id))] : mailboxes;
      });
    const isVouched = [a.id, ...a.also, b.id, ...b.also].some((id) => this.proofOf(id) === 'manager');
    return isVouched && words(a).some((mailbox) => words(b).includes(mailbox));
  }

  private inviters(id: string): string[] {
    const inviter = this.behind.get(id);
    return inviter === undefined ? [] : [inviter, ...this.inviters(inviter)];
  }

  /** True if a proved manager or former manager, other than the inviters of an unproved account, could confirm it. */
  private couldBeConfirmed(id: string): boolean {
    const own = [id, ...this.inviters(id)];
    return [...this.managers].some(
      (manager) => this.proofOf(manager) !== null && !own.includes(manager) && !this.disabled.has(manager),
    );
  }

  private canDecide(who: string): boolean {
    if (this.isStrict) return this.proofOf(who) === 'address' || this.proofOf(who) === 'manager';
    return this.proofOf(who) !== null || !this.couldBeConfirmed(who);
  }

  /**
   * An unproved account's actions are also attributed to its inviters if review is strict or others could confirm it,
   * unless someone else confirmed it once, even for a smaller role.
   */
  private handOf(id: string): Hand {
    const inviters = this.inviters(id);
    const isOther = (this.confirmations.get(id) ?? []).some(({ by }) => !inviters.includes(by));
    const also = !isOther && (this.isStrict || this.couldBeConfirmed(id)) ? inviters : [];
    const isApart = this.provingMailboxes(id).length > 1;
    return { id, also: this.proofOf(id) === null ? also : [], apart: isApart ? [id] : [] };
  }

  private isAnyOf(a: Hand, b: Hand, isOne: (one: Owned, other: Owned) => boolean): boolean {
    const all = ({ id, also }: Hand): Owned[] => [id, ...also].map((each) => this.owned(each));
    return all(a).some((one) => all(b).some((other) => one === other || isOne(one, other)));
  }

  /** True if two actions are by one human, which only the oracle knows, or are attributed to one person. */
  private isOne = (a: Hand, b: Hand): boolean => this.isAnyOf(a, b, isOnePerson);
  /** Like `isOne`, but with the knowledge of the product: the mailbox of the address, and invitations. */
  private isKnownOne = (a: Hand, b: Hand): boolean =>
    this.isAnyOf(a, b, (one, other) => deliveredTo(one.email) === deliveredTo(other.email));

  /** Counts people instead of accounts. */
  private count(hands: readonly Hand[], isOne = this.isOne): number {
    const people: Hand[] = [];
    for (const hand of hands) if (!people.some((each) => isOne(each, hand))) people.push(hand);
    return people.length;
  }
  /** Counts the people who could approve together. Under strict review, accounts of one voucher can't. */
  private countOf(accounts: readonly string[]): number {
    const hands = accounts.map((id) => this.handOf(id));
    return this.count(
      hands,
      (one, other) => this.isOne(one, other) || (this.isStrict && this.mayShareVoucher(one, other)),
    );
  }

  private name(id: string): string {
    return this.owned(id).email;
  }
  private namesOf(hands: readonly Hand[]): string {
    return this.names(hands.map(({ id }) => id));
  }
  private names(ids: readonly string[]): string {
    return ids.map((id) => this.name(id)).join(', ') || 'nobody';
  }

  private stepOf(id: string): PlayedStep {
    const found = this.steps.find((each) => each.id === id);
    if (!found) throw new Error(`no step ${id}`);
    return found;
  }
  private recordOf(id: string): StepRecord {
    const found = this.records.get(id);
    if (!found) throw new Error(`no step ${id}`);
    return found;
  }
}

type Power = 'free' | 'marked' | 'barred';
type Must = (holds: boolean, what: string) => void;

const newRecord = (): StepRecord => ({
  votes: [],
  skips: [],
  submittedBy: null,
  doneBy: [],
  hands: [],
  overdue: false,
  claimedBy: null,
  givenTo: null,
  givers: [],
  handedBy: [],
  places: [],
});
/**
 * Takes a step away from a person who released it, left or is disabled. Their place returns to the person who had it
 * first.
 */
function letGo(record: StepRecord, who: string): void {
  if (record.claimedBy === who) record.claimedBy = null;
  else if (record.givenTo === who) {
    record.givenTo = null;
    record.givers = [];
  }
  record.places = record.places.filter((way) => way.at(-1) !== who);
}
const namesOf = ({ assignee }: PlayedStep): string[] => assignee.split(', ');
const needs = ({ config }: PlayedStep): number => config.minimumApprovers ?? 1;
/** True if the step names only this address. */
const isForAddressOf = ({ assignee, config }: PlayedStep, email: string): boolean =>
  assignee === email && config.assignedRole === undefined;
const namesNobody = ({ assignee, config }: PlayedStep): boolean =>
  assignee === 'Unassigned' && config.assignedRole === undefined;
