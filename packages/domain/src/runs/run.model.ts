import type { ConditionStep, Step } from '../steps/index.ts';
import type { PersonCommand, RunCommand, SystemCommand } from './commands.ts';

/** The people behind an action: one, or a delegate and the delegator. */
type People = readonly string[];

/**
 * Test support: a second, independent implementation of a run. It stores only the actions of people and jobs on
 * individual steps, and computes each step's state from its predecessors each time.
 */
export class RunModel {
  readonly #steps: readonly Step[];
  readonly #ended = new Map<string, 'done' | 'skipped' | 'true' | 'false'>();
  /** The votes, by step. */
  readonly #votes = new Map<string, readonly People[]>();
  /** The agreements to skip, by step. */
  readonly #skipVotes = new Map<string, readonly People[]>();
  /** The authors of input that waits for approval, by step. */
  readonly #submitted = new Map<string, People>();
  /** People who contributed to completed or skipped steps, by step. */
  readonly #hands = new Map<string, Set<string>>();
  readonly #activations = new Map<string, number>();
  readonly #reopened = new Set<string>();
  #failed: string | null = null;
  #status: 'running' | 'paused' | 'cancelled' = 'running';

  readonly #starter: string;

  constructor(steps: readonly Step[], starter: string) {
    this.#steps = steps;
    this.#starter = starter;
    this.#countActivations(new Set());
  }

  get runStatus(): string {
    if (this.#status === 'cancelled') return 'cancelled';
    if (this.#failed) return 'failed';
    if (!this.#steps.some((step) => this.stateOf(step.id) === 'active')) return 'completed';
    return this.#status;
  }

  /** Like `StepState.state`, but `passed` for a step that was skipped because no branch led to it. */
  stateOf(id: string): 'waiting' | 'active' | 'completed' | 'skipped' | 'failed' | 'passed' {
    if (this.#failed === id) return 'failed';
    const ended = this.#ended.get(id);
    if (ended) return ended === 'skipped' ? 'skipped' : 'completed';
    const before = this.#steps.filter((step) => step.next.includes(id));
    const states = before.map((step) => this.stateOf(step.id));
    if (states.some((state) => state === 'waiting' || state === 'active' || state === 'failed')) return 'waiting';
    if (before.length === 0 || this.#reopened.has(id)) return 'active';
    return before.some((step) => this.#leadsTo(step, id)) ? 'active' : 'passed';
  }

  /** Returns how many times a step has become active. */
  activationOf(id: string): number {
    return this.#activations.get(id) ?? 0;
  }

  /** Returns whether a command by these people should be accepted. For a report of the server, they are ignored. */
  accepts(command: RunCommand, who: People): boolean {
    if (command.type === 'start') return false;
    if (command.type === 'watch_clocks') return true;
    if (command.type === 'resume') return this.runStatus === 'paused';
    if (command.type === 'cancel') {
      return (this.runStatus === 'running' || this.runStatus === 'paused') && command.reason.trim() !== '';
    }
    if (command.type === 'set_priority')
      return command.from !== command.to && this.runStatus !== 'completed' && this.runStatus !== 'cancelled';
    if (command.type === 'retry') {
      if (this.runStatus !== 'failed' || this.#failed !== command.stepId) return false;
      return command.othersCan === false || !this.#isRejected(command.stepId, who);
    }
    if (this.runStatus !== 'running') return false;
    if (command.type === 'pause') return true;
    const step = this.#steps.find(({ id }) => id === command.stepId);
    if (!step || this.stateOf(step.id) !== 'active') return false;
    return 'activation' in command ? this.#acceptsReport(command, step) : this.#acceptsAct(command, step, who);
  }

  #acceptsReport(command: SystemCommand, step: Step): boolean {
    if (command.activation !== this.activationOf(step.id)) return false;
    if (step.type === 'manual' || step.type === 'approval') return false;
    return command.type === 'fail_step' || command.report.kind === step.type;
  }

  #acceptsAct(command: Extract<PersonCommand, { stepId: string }>, step: Step, who: People): boolean {
    if (command.type === 'skip') {
      if (step.config.skip === 'never' || !command.reason?.trim() || this.#has(this.#skipVotes, step.id, who))
        return false;
      // Skipping is a decision, so the same rules about people apply.
      return step.type === 'approval'
        ? this.#canVote(step.id, step.config.separateFrom === true, who)
        : !this.#isSkippedOnlyByAuthors(step, who);
    }
    if (step.type === 'approval') {
      const isSaid = command.type !== 'reject' || command.comments.trim() !== '';
      return isSaid && this.#canVote(step.id, step.config.separateFrom === true, who);
    }
    if (step.type !== 'manual') return false;
    const submitter = this.#submitted.get(step.id);
    if (command.type === 'complete')
      return submitter === undefined && isInput(step.config.fields ?? [], command.output);
    if (command.type === 'reject' && command.comments.trim() === '') return false;
    return submitter !== undefined && !isAny(submitter, who);
  }

  /** True if the step would now be skipped and everyone who agreed is an author of its input. */
  #isSkippedOnlyByAuthors(step: Step, who: People): boolean {
    const authors = this.#submitted.get(step.id) ?? [];
    const agreed = [...(this.#skipVotes.get(step.id) ?? []), who];
    return agreed.length >= skipsNeeded(step) && agreed.every((voters) => isAny(authors, voters));
  }

  #canVote(id: string, isSeparate: boolean, who: People): boolean {
    if (this.#has(this.#votes, id, who)) return false;
    if (!isSeparate) return true;
    const last = this.#lastPeople(id);
    return !who.some((person) => last.has(person));
  }

  #has(votes: ReadonlyMap<string, readonly People[]>, id: string, who: People): boolean {
    return votes.get(id)?.some((voters) => isAny(voters, who)) ?? false;
  }

  /** The last people before a step, on each path to it. */
  #lastPeople(id: string): Set<string> {
    const all = new Set<string>();
    for (const before of this.#steps.filter((step) => step.next.includes(id))) {
      const state = this.stateOf(before.id);
      if (state === 'waiting' || state === 'active' || state === 'failed') continue;
      const hands = this.#hands.get(before.id) ?? new Set();
      const isByPeople = state === 'completed' && hands.size > 0;
      for (const person of [...hands, ...(isByPeople ? [] : this.#lastPeople(before.id))]) all.add(person);
    }
    return all;
  }

  #isRejected(id: string, who: People): boolean {
    if (this.#steps.find((step) => step.id === id)?.type !== 'approval') return false;
    const people = this.#lastPeople(id);
    return who.some((person) => (people.size > 0 ? people.has(person) : person === this.#starter));
  }

  /** Records a command that was accepted from these people. */
  note(command: RunCommand, who: People): void {
    const before = this.#active();
    // A retry activates a failed step. No other step becomes active again without a reset.
    this.#noteOf(command, who);
    this.#countActivations(before);
  }

  #active(): Set<string> {
    return new Set(this.#steps.map(({ id }) => id).filter((id) => this.stateOf(id) === 'active'));
  }

  #countActivations(before: ReadonlySet<string>): void {
    for (const id of this.#active()) if (!before.has(id)) this.#activations.set(id, this.activationOf(id) + 1);
  }

  #noteOf(command: RunCommand, who: People): void {
    if (command.type === 'pause') this.#status = 'paused';
    if (command.type === 'resume') this.#status = 'running';
    if (command.type === 'cancel') this.#status = 'cancelled';
    const step = 'stepId' in command && this.#steps.find(({ id }) => id === command.stepId);
    if (step) this.#noteOfStep(command, step, who);
  }

  #noteOfStep(command: RunCommand, step: Step, who: People): void {
    const { id } = step;
    if (command.type === 'skip') this.#noteSkip(step, who);
    if (command.type === 'finish_step') {
      const { report } = command;
      this.#ended.set(id, report.kind !== 'condition' ? 'done' : report.result ? 'true' : 'false');
    }
    if (command.type === 'fail_step') this.#failed = id;
    if (command.type === 'retry') this.#failed = null;
    if (command.type === 'retry') this.#votes.delete(id);
    if (command.type === 'retry') this.#skipVotes.delete(id);
    if (step.type === 'manual') {
      const isForApproval = step.config.requiresApproval === true;
      if (command.type === 'complete' && isForApproval) this.#submitted.set(id, who);
      if (command.type === 'complete' && !isForApproval) this.#end(id, who);
      const submitter = this.#submitted.get(id);
      if (command.type === 'approve' && submitter !== undefined) this.#end(id, [...submitter, ...who]);
      if (command.type === 'reject') this.#submitted.delete(id);
    }
    if (step.type === 'approval' && (command.type === 'approve' || command.type === 'complete')) {
      const votes = [...(this.#votes.get(id) ?? []), who];
      this.#votes.set(id, votes);
      const agreed = this.#skipVotes.get(id)?.filter((voters) => !isAny(voters, who));
      if (agreed) this.#skipVotes.set(id, agreed);
      if (votes.length >= (step.config.minimumApprovers ?? 1)) this.#end(id, votes.flat());
    }
    if (step.type === 'approval' && command.type === 'reject') {
      if (step.config.onReject) this.#reopen(step.config.onReject);
      else this.#failed = id;
    }
  }

  #noteSkip(step: Step, who: People): void {
    const { id } = step;
    const agreed = [...(this.#skipVotes.get(id) ?? []), who];
    this.#skipVotes.set(id, agreed);
    if (agreed.length < skipsNeeded(step)) return;
    const all = [...agreed, ...(this.#votes.get(id) ?? []), this.#submitted.get(id) ?? []];
    this.#hands.set(id, new Set(all.flat()));
    this.#ended.set(id, 'skipped');
  }

  #end(id: string, hands: Iterable<string>): void {
    this.#ended.set(id, 'done');
    this.#hands.set(id, new Set(hands));
  }

  #reopen(id: string): void {
    this.#forget(id);
    this.#reopened.add(id);
  }

  #forget(id: string): void {
    this.#ended.delete(id);
    this.#votes.delete(id);
    this.#skipVotes.delete(id);
    this.#submitted.delete(id);
    this.#hands.delete(id);
    this.#reopened.delete(id);
    for (const next of this.#steps.find((step) => step.id === id)?.next ?? []) this.#forget(next);
  }

  #leadsTo(step: Step, id: string): boolean {
    const state = this.stateOf(step.id);
    if (state !== 'completed') return state === 'skipped';
    return step.type !== 'condition' || isOnBranch(step, this.#ended.get(step.id) === 'true', id);
  }
}

const skipsNeeded = ({ type, config }: Step): number =>
  type === 'approval' ? (config.minimumApprovers ?? 1) : type === 'manual' && config.requiresApproval ? 2 : 1;

const isAny = (some: People, others: People): boolean => some.some((person) => others.includes(person));

/** Returns whether the input is sufficient: form values if there is a form, otherwise text. */
function isInput(fields: readonly { id: string }[], output: { readonly [key: string]: unknown } | undefined): boolean {
  const { text, fields: given } = output ?? {};
  if (given !== undefined && given !== null && Object.prototype.toString.call(given) !== '[object Object]')
    return false;
  const values = Object.entries(given ?? {});
  if (fields.length === 0) return values.length === 0 && typeof text === 'string' && text.trim() !== '';
  return (
    values.length === fields.length && values.every(([id, value]) => id === fields[0]?.id && Number.isFinite(value))
  );
}

function isOnBranch({ config }: ConditionStep, result: boolean, id: string): boolean {
  const { trueNext, falseNext } = config;
  if (id === trueNext || id === falseNext) return id === (result ? trueNext : falseNext);
  if (!trueNext === !falseNext) return true;
  return result ? !trueNext : !falseNext;
}
