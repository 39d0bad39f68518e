import type { Step, StepReport } from '../steps/index.ts';
import { type Json, type RunActor, type RunState, stepStateOf, type StepState, SYSTEM_ACTOR } from './state.ts';
import type { RunCommand } from './commands.ts';
import { decide, type RunDecision } from './decide.ts';
import type { RunFact } from './facts.ts';

/** Test support: returns a person by first name, or the server for `system`. */
export function actorOf(name: string): RunActor {
  return name === 'system' ? SYSTEM_ACTOR : { id: name, name, email: `${name}@example.com`, kind: 'user' };
}

/** Test support: a run with one minute between actions. */
export class Scenario {
  readonly workflow: { steps: Step[] };
  readonly facts: RunFact[] = [];
  state: RunState;
  now = 0;

  constructor(steps: Step[], by = 'ann') {
    this.workflow = { steps };
    const decision = decide(this.workflow, null, { type: 'start' }, { at: this.now, actor: actorOf(by) });
    if (!decision.ok) throw new Error(`Refused: ${decision.refusal.code}`);
    this.state = decision.state;
    this.facts.push(...decision.facts);
  }

  /** Decides the command; the scenario continues with the result. */
  try(command: RunCommand, by: string): RunDecision {
    this.now += 60_000;
    const decision = decide(this.workflow, this.state, command, { at: this.now, actor: actorOf(by) });
    if (decision.ok) {
      this.state = decision.state;
      this.facts.push(...decision.facts);
    }
    return decision;
  }

  /** Returns the types of the resulting facts, each with its step. */
  act(command: RunCommand, by = 'ann'): string[] {
    const decision = this.try(command, by);
    if (!decision.ok) throw new Error(`Refused: ${JSON.stringify(decision.refusal)}`);
    return decision.facts.map((fact) => ('stepId' in fact ? `${fact.type} ${fact.stepId}` : fact.type));
  }

  /** Returns the refusal of a command. Throws if the command is accepted. */
  refusal(command: RunCommand, by = 'ann') {
    const before = JSON.stringify(this.state);
    const decision = this.try(command, by);
    if (decision.ok) throw new Error(`Accepted: ${decision.facts.map((fact) => fact.type).join(', ')}`);
    if (JSON.stringify(this.state) !== before) throw new Error('A refusal changed the state');
    return decision.refusal;
  }

  step(id: string): StepState {
    const step = stepStateOf(this.state, id);
    if (!step) throw new Error(`No step ${id}`);
    return step;
  }

  /** The states of all steps, such as `a:completed b:active`. */
  get states(): string {
    return this.workflow.steps.map(({ id }) => `${id}:${this.step(id).state}`).join(' ');
  }
}

/** Test support: returns a command that completes a manual step. */
export function done(stepId: string): RunCommand {
  return { type: 'complete', stepId, output: { text: `${stepId} done` } };
}

/** Test support: returns details that turn a step into an approval. */
export const approval = (config: object = {}): Partial<Step> => ({ type: 'approval', config });
/** Test support: returns a vote to approve. */
export const approve = (stepId: string, comments?: string) => ({ type: 'approve', stepId, comments }) as const;
/** Test support: returns a vote to reject. */
export const reject = (stepId: string, comments: string) => ({ type: 'reject', stepId, comments }) as const;

const finished = (stepId: string, report: StepReport, output: Json) =>
  ({ type: 'finish_step', stepId, activation: 1, report, output }) as const;
/** Test support: returns the server's report for the first activation of a step. */
export const ran = (stepId: string, output: Json) =>
  finished(stepId, { kind: 'automated', simulated: false, reportedMs: null }, output);
export const decided = (stepId: string, result: boolean) => finished(stepId, { kind: 'condition', result }, { result });
export const sent = (stepId: string, undeliverable: string[]) =>
  finished(stepId, { kind: 'notification', undeliverable }, null);
