import type { ServerStep, ServerStepType, Step } from '@stet/domain/steps';
import { isPersonStep } from '@stet/domain/steps';
import { enqueueJobs } from '../../../db/outbox.ts';
import type { Deps } from '../../../kernel/deps.ts';
import type { Mailer } from '../../../kernel/mail.ts';
import { reportStep } from '../report-step.ts';
import { stepJobKey } from '../step-jobs.ts';
import { type Executor, type StepJob, findWork, stepJobPayload } from './active-step.ts';
import { automated } from './automated.ts';
import { condition } from './condition.ts';
import { STEP_LANES } from './lanes.ts';
import { notification } from './notification.ts';

/** The executor for each type of step that the server executes. */
export const EXECUTORS = { automated, condition, notification } as const satisfies {
  [T in ServerStepType]: Executor<Extract<Step, { type: T }>>;
};

/** Executes a step on the server if the step is still waiting for it (decision 51). */
export async function executeStep(deps: Deps, mailer: Mailer, payload: unknown): Promise<void> {
  const job = stepJobPayload.parse(payload);
  const work = await findWork(deps.db, job);
  if (!work || isPersonStep(work.step)) return;
  const { step } = work;
  const executor: Executor<ServerStep> = EXECUTORS[step.type];
  const executed = await executor.execute({ ...deps, mailer }, { ...work, step });
  if (executed === null) return;
  if ('command' in executed) return reportStep(deps, { orgId: job.orgId, runId: job.runId, ...executed });
  await enqueueAgain(deps, STEP_LANES[step.type].task, executed.again, executed.delayMs);
}

async function enqueueAgain({ db, pokeOutbox }: Deps, task: string, job: StepJob, delayMs: number): Promise<void> {
  await db.transaction({ orgId: job.orgId, userId: null }, async (tx) =>
    enqueueJobs(tx, [{ task, payload: job, key: stepJobKey(job), turnOf: job.orgId, delayMs }]),
  );
  pokeOutbox();
}
