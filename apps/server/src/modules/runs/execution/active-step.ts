import { type ActiveStep, type SystemCommand, stepStateOf } from '@stet/domain/runs';
import type { Step } from '@stet/domain/steps';
import { z } from 'zod';
import type { Database } from '../../../kernel/database.ts';
import type { Deps } from '../../../kernel/deps.ts';
import type { Mailer } from '../../../kernel/mail.ts';
import type { RunContext } from '../../../kernel/recorded-event.ts';
import { type RunRow, findRun } from '../runs.sql.ts';
import { isUnaltered } from '../unaltered-version.ts';

/** The payload of a step's job, with the activation that it was enqueued for. */
export const stepJobPayload = z.object({
  orgId: z.uuid(),
  runId: z.uuid(),
  stepId: z.string(),
  activation: z.number().int(),
  /** Number of failed attempts so far. */
  attempt: z.number().int().default(0),
});
export type StepJob = z.output<typeof stepJobPayload>;

export type Work<S extends Step = Step> = { job: StepJob; run: RunRow; step: S; active: ActiveStep };

/**
 * Returns the step that a job has to execute. Null if the job's activation has ended, the run isn't running, or its
 * version was altered.
 */
export async function findWork(db: Database, job: StepJob): Promise<Work | null> {
  const { orgId, runId, stepId, activation } = job;
  const run = await db.transaction({ orgId, userId: null }, (tx) => tx.maybeOne(findRun, { orgId, runId }));
  const step = run?.steps.find(({ id }) => id === stepId);
  const active = run && stepStateOf(run.state, stepId);
  if (!run || !step || run.state.status !== 'running' || !isUnaltered(run)) return null;
  return active?.state === 'active' && active.activation === activation ? { job, run, step, active } : null;
}

/**
 * The result of a job: a command for the run, with the in-app message to send, or a job to run again after a delay.
 * Null if the run is paused or the step is no longer active.
 */
export type Executed =
  | { command: SystemCommand; message?: RunContext['message'] }
  | { again: StepJob; delayMs: number }
  | null;

/** Executes steps of one type. A job may run twice, but its result counts only once. */
export type Executor<S extends Step> = {
  execute(deps: Deps & { mailer: Mailer }, work: Work<S>): Promise<Executed>;
};
