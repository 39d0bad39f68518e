import { type ActiveStep, stepStateOf } from '@stet/domain/runs';
import type { Step } from '@stet/domain/workflows';
import { z } from 'zod';
import type { Database } from '../../../kernel/database.ts';
import { type RunRow, findRun } from '../runs.sql.ts';
import { isUnaltered } from '../unaltered-version.ts';

/** What a job was made for. */
export const stepJobPayload = z.object({
  orgId: z.uuid(),
  runId: z.uuid(),
  stepId: z.string(),
  activation: z.number().int(),
  /** How often it was tried in vain before. */
  attempt: z.number().int().default(0),
});
export type StepJob = z.output<typeof stepJobPayload>;

export type Work<S extends Step = Step> = { job: StepJob; run: RunRow; step: S; active: ActiveStep };

/** The work of a job; null where the run has moved on, is paused or over, or its version was altered: there is nothing to do. */
export async function findWork(db: Database, job: StepJob): Promise<Work | null> {
  const { orgId, runId, stepId, activation } = job;
  const run = await db.transaction({ orgId, userId: null }, (tx) => tx.maybeOne(findRun, { orgId, runId }));
  const step = run?.steps.find(({ id }) => id === stepId);
  const active = run && stepStateOf(run.state, stepId);
  if (!run || !step || run.state.status !== 'running' || !isUnaltered(run)) return null;
  return active?.state === 'active' && active.activation === activation ? { job, run, step, active } : null;
}
