import type { Priority } from '@stet/contract';
import { slaMsOf } from '@stet/domain/sla';
import type { JsonObject, PersonCommand, SystemCommand } from '@stet/domain/runs';
import type { Who } from './cast.ts';
import type { When } from './when.ts';

type Undirected<C> = C extends SystemCommand ? Omit<C, 'activation'> : never;

/**
 * One action, `after` milliseconds after the previous one. For the current activation of a step, the server either
 * reports a result that is written here, as for a simulated step, or executes the step.
 */
export type RunAct = { after: number } & (
  | { by: Who; command: PersonCommand }
  | { by: 'system'; report: Undirected<SystemCommand> }
  | { by: 'system'; execute: Execution }
);

export type Execution = {
  stepId: string;
  /** The expected output, unless a script determines it. */
  output?: JsonObject;
  /** Addresses that refuse email. */
  refused?: readonly string[];
};

export type RunScript = {
  workflow: string;
  version: number;
  name: string;
  description?: string;
  priority: Priority;
  by: Who;
  when: When;
  acts: readonly RunAct[];
};

/** Converts a duration in the notation of SLAs, such as `1 day 4 hours` or `35m`, to milliseconds. */
export function span(text: string): number {
  const ms = slaMsOf(text);
  if (ms === null) throw new Error(`"${text}" is not a duration`);
  return ms;
}

const person = (by: Who, after: string, command: PersonCommand): RunAct => ({ after: span(after), by, command });
const reported = (report: Undirected<SystemCommand>): RunAct => ({ after: 2000, by: 'system', report });
const executed = (after: number, execute: Execution): RunAct => ({ after, by: 'system', execute });

export const done = (by: Who, after: string, stepId: string, text: string, fields?: JsonObject): RunAct =>
  person(by, after, { type: 'complete', stepId, output: { text, ...(fields && { fields }) } });
export const approved = (by: Who, after: string, stepId: string, comments?: string): RunAct =>
  person(by, after, { type: 'approve', stepId, comments: comments ?? null });
export const rejected = (by: Who, after: string, stepId: string, comments: string): RunAct =>
  person(by, after, { type: 'reject', stepId, comments });
export const skipped = (by: Who, after: string, stepId: string, reason: string): RunAct =>
  person(by, after, { type: 'skip', stepId, reason });
export const paused = (by: Who, after: string): RunAct => person(by, after, { type: 'pause' });
export const resumed = (by: Who, after: string): RunAct => person(by, after, { type: 'resume' });
export const cancelled = (by: Who, after: string, reason: string): RunAct =>
  person(by, after, { type: 'cancel', reason });
export const retried = (by: Who, after: string, stepId: string): RunAct => person(by, after, { type: 'retry', stepId });

/** A simulated step that succeeds. It ends after two seconds and reports `seconds` as its duration. */
export const ran = (stepId: string, output: JsonObject, seconds = 4): RunAct =>
  reported({
    type: 'finish_step',
    stepId,
    output,
    report: { kind: 'automated', simulated: true, reportedMs: seconds * 1000 },
  });
export const broke = (stepId: string, reason: string): RunAct => reported({ type: 'fail_step', stepId, reason });
/** A step whose script is executed. */
export const scripted = (stepId: string): RunAct => executed(400, { stepId });
/** A condition, which is evaluated. If it has a different result, the fill fails. */
export const decided = (stepId: string, result: boolean): RunAct => executed(300, { stepId, output: { result } });
/** A notification step. Its emails aren't really sent. Those to `refused` addresses fail. */
export const notified = (stepId: string, refused: readonly string[] = []): RunAct =>
  executed(3000, { stepId, refused });
