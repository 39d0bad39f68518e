import { type Owned, isOnePerson } from '../people/humans.ts';
import type { Role } from '../people/oracle.ts';
import { type PlayedStep, isPerformedByServer } from './workflows.ts';

export type StepStateName = 'pending' | 'blocked' | 'active' | 'completed' | 'skipped' | 'failed';
/** The state of each step, as the run shows it. */
export type States = Readonly<Record<string, StepStateName>>;
export type Action = 'complete' | 'approve' | 'reject' | 'skip' | 'retry';

/** A granted call on a step, and what became of the run. */
export type Acted = {
  by: string;
  stepId: string;
  action: Action;
  reason: boolean;
  before: States;
  after: States;
  /** Whether the run says of its rejection that those rejected retried it. */
  retriedAlone: boolean;
};

type StepRecord = {
  votes: string[];
  skips: string[];
  submittedBy: string | null;
  /** Who brought it to its end; whoever agreed to a skip counts as having done it. */
  doneBy: string[];
  /** Everyone who had a hand in it. */
  hands: string[];
  overdue: boolean;
};

const REVIEWERS: readonly Role[] = ['owner', 'admin', 'reviewer'];
const MANAGERS: readonly Role[] = ['owner', 'admin'];
const CONTROLLERS: readonly Role[] = ['owner', 'admin', 'editor', 'reviewer'];

/**
 * Follows a run by the calls that the server granted, and says which of them pass a control with fewer people than it names.
 * Written from the promises (rulings, sections 6 and 12), not from the code.
 */
export class RunOracle {
  private readonly records: Map<string, StepRecord>;
  readonly roles = new Map<string, Role>();
  editorsMayHelp = true;

  /** `behind`: who invited an account that isn't proved, by its id; what it does counts as theirs as well. */
  constructor(
    private readonly steps: readonly PlayedStep[],
    private readonly people: readonly Owned[],
    private readonly behind: ReadonlyMap<string, string> = new Map(),
  ) {
    this.records = new Map(steps.map(({ id }) => [id, newRecord()]));
  }

  /** Takes in a granted call; answers which promises it breaks. */
  record(acted: Acted): string[] {
    const broken: string[] = [];
    const must: Must = (holds, what) => {
      if (!holds) broken.push(`${acted.action} of ${acted.stepId}: ${what}`);
    };
    const step = this.stepOf(acted.stepId);
    if (acted.action === 'retry') this.retry(acted, step, must);
    else if (acted.action === 'skip') this.skip(acted, step, must);
    // Who completes an approval step approves it.
    else if (step.type === 'approval') this.decide(acted, step, must);
    else if (acted.action === 'complete') this.complete(acted, step, must);
    else this.decideInput(acted, step, must);
    this.follow(acted.after);
    return broken;
  }

  /** Takes in how the run stands, after the server performed a step or time went by. */
  follow(after: States): void {
    for (const { id } of this.steps) {
      const isBack = after[id] === 'active' && this.recordOf(id).doneBy.length > 0;
      if (isBack || after[id] === 'pending' || after[id] === 'blocked') this.records.set(id, newRecord());
    }
  }

  /** The step has been overdue for 24 working hours. */
  nowOverdue(stepId: string): void {
    this.recordOf(stepId).overdue = true;
  }

  /** Whether those who are entitled suffice to bring an active step to its end. Careful: only what is beyond doubt. */
  canBeFinished(stepId: string, states: States): boolean {
    const step = this.stepOf(stepId);
    const record = this.recordOf(stepId);
    if (states[stepId] === 'failed') return this.members(CONTROLLERS).some(this.isProved);
    if (step.type === 'manual') {
      const able =
        record.submittedBy === null
          ? this.memberIds().filter((who) => this.mayDoManual(who, step))
          : [record.submittedBy];
      if (!step.config.requiresApproval) return able.length > 0;
      return able.some((who) =>
        this.members(MANAGERS).some((other) => this.isProved(other) && !this.samePerson(who, other)),
      );
    }
    if (step.type !== 'approval') return true;
    const barred = step.config.separateFrom ? this.handsBefore(step, states) : [];
    const needed = needs(step) - this.count(record.votes);
    const able = this.memberIds().filter(
      (who) => this.isProved(who) && !this.isBarred(who, barred) && !this.hasVoted(who, record),
    );
    const named = able.filter((who) => this.isNamed(who, step));
    if (this.count(named) >= needed) return true;
    return this.count([...named, ...able.filter((who) => this.can(who, MANAGERS))]) >= needed;
  }

  // Votes ------------------------------------------------------------------------------------------------------------

  private decide(acted: Acted, step: PlayedStep, must: Must): void {
    const { by, after } = acted;
    const record = this.recordOf(step.id);
    this.mustBeEntitled(acted, step, must);
    if (acted.action === 'reject') {
      must(after[step.id] !== 'completed', 'a rejection completed it');
      record.hands.push(by);
      record.votes = [];
      record.skips = [];
      return;
    }
    must(!record.votes.includes(by), 'the same account voted twice');
    record.votes.push(by);
    if (after[step.id] === 'completed') {
      const people = this.count(record.votes);
      must(people >= needs(step), `passed by ${people} of ${needs(step)} people: ${this.names(record.votes)}`);
      this.end(step.id, [by], record.votes);
    }
  }

  private skip(acted: Acted, step: PlayedStep, must: Must): void {
    const { by, after, reason } = acted;
    const record = this.recordOf(step.id);
    must(reason, 'without a reason');
    if (step.type === 'approval') this.mustBeEntitled(acted, step, must);
    record.skips.push(by);
    if (after[step.id] !== 'skipped') return;
    const needed = step.type === 'approval' ? needs(step) : step.config.requiresApproval ? 2 : 1;
    const people = this.count(record.skips);
    must(people >= needed, `skipped by ${people} of ${needed} people: ${this.names(record.skips)}`);
    this.end(step.id, record.skips, record.skips);
  }

  /** Named, or anyone who may review if nobody is named, or an owner or admin in their place; and not barred by separation. */
  private mustBeEntitled({ by, before, after, reason, action }: Acted, step: PlayedStep, must: Must): void {
    // A rejection may send the steps before back to work.
    const states = action === 'reject' ? before : after;
    const barred = step.config.separateFrom ? this.lastPeople(step, states) : [];
    must(
      action === 'reject' || !this.isBarred(by, barred),
      `${this.name(by)} did the work before it: ${this.names(barred)}`,
    );
    if (this.isNamed(by, step)) return;
    must(this.can(by, MANAGERS), `it names ${step.assignee}, not ${this.name(by)}`);
    must(reason, 'an owner or admin stood in without a reason');
    const record = this.recordOf(step.id);
    const already = action === 'skip' ? record.skips : record.votes;
    // Who approved doesn't have to agree to a skip as well, nor the other way round.
    const decided = [...record.skips, ...record.votes];
    const missing = needs(step) - this.count(already);
    const mayBeBarred = step.config.separateFrom ? this.handsBefore(step, states) : [];
    const able = this.memberIds().filter(
      (who) =>
        this.isNamed(who, step) &&
        !this.isBarred(who, mayBeBarred) &&
        !decided.some((voter) => this.samePerson(voter, who)),
    );
    must(record.overdue || this.count(able) < missing, `an owner or admin stood in though ${this.names(able)} could`);
  }

  // Manual steps -----------------------------------------------------------------------------------------------------

  private complete({ by, after }: Acted, step: PlayedStep, must: Must): void {
    const record = this.recordOf(step.id);
    must(step.type === 'manual', 'completed by a person');
    must(this.mayDoManual(by, step), `it names ${step.assignee}, not ${this.name(by)}`);
    if (step.config.requiresApproval) {
      must(after[step.id] === 'active', 'passed without the approval of its input');
      record.submittedBy = by;
      record.hands.push(by);
    } else this.end(step.id, [by], [by]);
  }

  private decideInput({ by, action, after }: Acted, step: PlayedStep, must: Must): void {
    const record = this.recordOf(step.id);
    const submitter = record.submittedBy;
    must(submitter !== null, 'no input was submitted');
    if (submitter === null) return;
    record.hands.push(by);
    if (action === 'reject') {
      record.submittedBy = null;
      return;
    }
    must(!this.samePerson(by, submitter), `${this.name(by)} approved the input of ${this.name(submitter)}`);
    if (after[step.id] === 'completed') this.end(step.id, [submitter], [submitter, by]);
  }

  /** After a rejection someone other than those rejected retries; if nobody else may, they do and the run says so. */
  private retry({ by, before, retriedAlone }: Acted, step: PlayedStep, must: Must): void {
    must(this.can(by, CONTROLLERS), 'by someone who may not control runs');
    const rejected = this.lastPeople(step, before);
    if (step.type === 'approval' && this.isBarred(by, rejected)) {
      const others = this.members(CONTROLLERS).filter((who) => !this.isBarred(who, this.handsBefore(step, before)));
      must(
        others.length === 0,
        `${this.name(by)} retried over the rejection of their own work though ${this.names(others)} could`,
      );
      must(retriedAlone, 'retried by those rejected, and the run does not say so');
    }
    this.records.set(step.id, newRecord());
  }

  private mayDoManual(who: string, step: PlayedStep): boolean {
    if (this.isNamed(who, step) || this.can(who, MANAGERS)) return true;
    const role = this.roles.get(who);
    return role === 'editor' && (this.editorsMayHelp || namesNobody(step));
  }

  // Who did what -----------------------------------------------------------------------------------------------------

  private end(stepId: string, doneBy: readonly string[], hands: readonly string[]): void {
    const record = this.recordOf(stepId);
    record.doneBy = [...doneBy];
    record.hands = [...record.hands, ...hands];
  }

  private before(step: PlayedStep): PlayedStep[] {
    return this.steps.filter(({ next }) => next.includes(step.id));
  }

  /** The last people on every incoming path; back over what the server performed and over what was skipped. */
  private lastPeople(step: PlayedStep, states: States): string[] {
    return this.walk(step, states, ({ doneBy }) => doneBy);
  }

  /** Everyone who may count as having done the work before: for what is beyond doubt. */
  private handsBefore(step: PlayedStep, states: States): string[] {
    return this.walk(step, states, ({ hands, doneBy }) => [...hands, ...doneBy]);
  }

  private walk(step: PlayedStep, states: States, read: (record: StepRecord) => string[]): string[] {
    return this.before(step).flatMap((each) => {
      const own = read(this.recordOf(each.id));
      const goesOn = isPerformedByServer(each) || states[each.id] === 'skipped';
      return goesOn ? [...own, ...this.walk(each, states, read)] : own;
    });
  }

  private isBarred(who: string, doers: readonly string[]): boolean {
    return doers.some((doer) => this.samePerson(doer, who));
  }

  private hasVoted(who: string, { votes }: StepRecord): boolean {
    return votes.some((voter) => this.samePerson(voter, who));
  }

  // People -----------------------------------------------------------------------------------------------------------

  private isNamed(who: string, step: PlayedStep): boolean {
    const role = this.roles.get(who);
    if (role === undefined) return false;
    if (namesNobody(step))
      return step.type === 'approval'
        ? REVIEWERS.includes(role)
        : role === 'owner' || role === 'admin' || role === 'editor';
    return step.assignee === this.owned(who).email || step.assignee === role || step.config.assignedRole === role;
  }

  private can(who: string, roles: readonly Role[]): boolean {
    const role = this.roles.get(who);
    return role !== undefined && roles.includes(role);
  }

  private memberIds(): string[] {
    return [...this.roles.keys()];
  }

  private members(roles: readonly Role[]): string[] {
    return this.memberIds().filter((who) => this.can(who, roles));
  }

  private owned(id: string): Owned {
    const found = this.people.find((each) => each.id === id);
    if (!found) throw new Error(`the oracle knows no account ${id}`);
    return found;
  }

  /** Whether both count as one: accounts of one human, or an account that isn't proved and who invited it. */
  private samePerson(a: string, b: string): boolean {
    const [first, second] = [this.peopleOf(a), this.peopleOf(b)];
    return first.some((one) =>
      second.some((other) => one === other || isOnePerson(this.owned(one), this.owned(other))),
    );
  }

  private peopleOf(id: string): string[] {
    const inviter = this.behind.get(id);
    return inviter === undefined ? [id] : [id, ...this.peopleOf(inviter)];
  }

  /** Whose vote is beyond doubt. */
  private isProved = (who: string): boolean => !this.behind.has(who);

  /** How many people, not accounts. */
  private count(accounts: readonly string[]): number {
    const people: string[] = [];
    for (const account of accounts) if (!people.some((each) => this.samePerson(each, account))) people.push(account);
    return people.length;
  }

  private name(id: string): string {
    return this.owned(id).email;
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

type Must = (holds: boolean, what: string) => void;

const newRecord = (): StepRecord => ({
  votes: [],
  skips: [],
  submittedBy: null,
  doneBy: [],
  hands: [],
  overdue: false,
});
const needs = ({ config }: PlayedStep): number => config.minimumApprovers ?? 1;
const namesNobody = ({ assignee, config }: PlayedStep): boolean =>
  assignee === 'Unassigned' && config.assignedRole === undefined;
