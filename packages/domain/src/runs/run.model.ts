import type { ConditionStep, Step } from '../workflows/step.ts';
import type { RunCommand } from './commands.ts';

/**
 * Test support: what a run should be, told a second time and in another way. Nothing is carried forward: it remembers
 * only what people and jobs did to single steps, and works out each step's state from its predecessors, from scratch.
 */
export class RunModel {
  readonly #steps: readonly Step[];
  readonly #ended = new Map<string, 'done' | 'skipped' | 'true' | 'false'>();
  readonly #votes = new Map<string, number>();
  readonly #submitted = new Set<string>();
  readonly #reopened = new Set<string>();
  #failed: string | null = null;
  #status: 'running' | 'paused' | 'cancelled' = 'running';

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  get runStatus(): string {
    if (this.#status === 'cancelled') return 'cancelled';
    if (this.#failed) return 'failed';
    if (!this.#steps.some((step) => this.stateOf(step.id) === 'active')) return 'completed';
    return this.#status;
  }

  /** As `StepState.state`, but `passed` for a skip because no branch led there. */
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

  /** Takes note of a command that was accepted. */
  note(command: RunCommand): void {
    if (command.type === 'pause') this.#status = 'paused';
    if (command.type === 'resume') this.#status = 'running';
    if (command.type === 'cancel') this.#status = 'cancelled';
    const step = 'stepId' in command && this.#steps.find(({ id }) => id === command.stepId);
    if (step) this.#noteOfStep(command, step);
  }

  #noteOfStep(command: RunCommand, step: Step): void {
    const { id } = step;
    if (command.type === 'skip') this.#ended.set(id, 'skipped');
    if (command.type === 'finish_automated' || command.type === 'finish_notification') this.#ended.set(id, 'done');
    if (command.type === 'decide_condition') this.#ended.set(id, command.result ? 'true' : 'false');
    if (command.type === 'fail_step') this.#failed = id;
    if (command.type === 'retry') this.#failed = null;
    if (command.type === 'retry') this.#votes.delete(id);
    if (step.type === 'manual') {
      const isForApproval = step.config.requiresApproval === true;
      if (command.type === 'complete' && isForApproval) this.#submitted.add(id);
      if (command.type === 'complete' && !isForApproval) this.#ended.set(id, 'done');
      if (command.type === 'approve' && this.#submitted.has(id)) this.#ended.set(id, 'done');
      if (command.type === 'reject') this.#submitted.delete(id);
    }
    if (step.type === 'approval' && (command.type === 'approve' || command.type === 'complete')) {
      const votes = (this.#votes.get(id) ?? 0) + 1;
      this.#votes.set(id, votes);
      if (votes >= (step.config.minimumApprovers ?? 1)) this.#ended.set(id, 'done');
    }
    if (step.type === 'approval' && command.type === 'reject') {
      if (step.config.onReject) this.#reopen(step.config.onReject);
      else this.#failed = id;
    }
  }

  #reopen(id: string): void {
    this.#forget(id);
    this.#reopened.add(id);
  }

  #forget(id: string): void {
    this.#ended.delete(id);
    this.#votes.delete(id);
    this.#submitted.delete(id);
    this.#reopened.delete(id);
    for (const next of this.#steps.find((step) => step.id === id)?.next ?? []) this.#forget(next);
  }

  #leadsTo(step: Step, id: string): boolean {
    const state = this.stateOf(step.id);
    if (state !== 'completed') return state === 'skipped';
    return step.type !== 'condition' || isOnBranch(step, this.#ended.get(step.id) === 'true', id);
  }
}

function isOnBranch({ config }: ConditionStep, result: boolean, id: string): boolean {
  const { trueNext, falseNext } = config;
  if (id === trueNext || id === falseNext) return id === (result ? trueNext : falseNext);
  if (!trueNext === !falseNext) return true;
  return result ? !trueNext : !falseNext;
}
