import type { Priority } from '@stet/contract';
import { MINUTE_MS, slaMsOf } from '@stet/domain/sla';
import type { JsonObject, PersonCommand, SystemCommand } from '@stet/domain/runs';
import type { Who } from './cast.ts';
import type { When } from './schedule.ts';

type Undirected<C> = C extends SystemCommand ? Omit<C, 'activation'> : never;

/**
 * One action, `after` milliseconds after the previous one. The server's own actions don't name an activation, because
 * it is always the current one.
 */
export type RunAct = { after: number } & (
  | { by: Who; command: PersonCommand }
  | { by: 'system'; command: Undirected<SystemCommand> }
);

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

/** The milliseconds of a duration in the notation of SLAs, such as `1 day 4 hours` or `35m`. */
export function span(text: string): number {
  const ms = slaMsOf(text);
  if (ms === null) throw new Error(`"${text}" is not a duration`);
  return ms;
}

const person = (by: Who, after: string, command: PersonCommand): RunAct => ({ after: span(after), by, command });
const server = (after: number, command: Undirected<SystemCommand>): RunAct => ({ after, by: 'system', command });

export const done = (by: Who, after: string, stepId: string, text: string): RunAct =>
  person(by, after, { type: 'complete', stepId, output: { text } });
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

/** A successful simulated step. It ends after two seconds and reports `seconds` as its duration. */
export const ran = (stepId: string, output: JsonObject, seconds = 4): RunAct =>
  server(2_000, {
    type: 'finish_step',
    stepId,
    output,
    report: { kind: 'automated', simulated: true, reportedMs: seconds * 1000 },
  });
export const broke = (stepId: string, reason: string): RunAct => server(2_000, { type: 'fail_step', stepId, reason });
export const decided = (stepId: string, result: boolean): RunAct =>
  server(120, { type: 'finish_step', stepId, output: { result }, report: { kind: 'condition', result } });
export const notified = (stepId: string, undeliverable: string[] = []): RunAct =>
  server(MINUTE_MS / 20, {
    type: 'finish_step',
    stepId,
    output: null,
    report: { kind: 'notification', undeliverable },
  });
