import {
  type PendingSystemStep,
  type RunFact,
  type RunState,
  type RunWorkflow,
  pendingSystemSteps,
} from '@stet/domain/runs';
import type { Step } from '@stet/domain/steps';
import type { Job } from '../../db/outbox.ts';
import { STEP_LANES, WAITING_TASK, waitMsOf } from './execution/lanes.ts';

type Run = { orgId: string; runId: string; workflow: RunWorkflow; state: RunState };

/**
 * Returns the jobs that follow from facts: one for each step that they activate and that the server has to execute. If
 * they resume the run or retry a step, one for each active step that the server has to execute.
 */
export function jobsFor({ orgId, runId, workflow, state }: Run, facts: readonly RunFact[]): Job[] {
  const activated = facts.filter((fact) => fact.type === 'step_activated');
  // While the run was paused or failed, its active steps had no job, or their job's result was rejected.
  const wakesAll = facts.some(({ type }) => type === 'run_resumed' || type === 'step_retried');
  const fresh = new Set(activated.map(({ stepId }) => stepId));
  const steps = new Map(workflow.steps.map((step) => [step.id, step]));
  return pendingSystemSteps(workflow, state)
    .filter(({ stepId }) => wakesAll || fresh.has(stepId))
    .map((pending) => stepJob({ orgId, runId }, pending, steps.get(pending.stepId)));
}

/**
 * The job that executes one activation of a step. The SQL function `make_lost_jobs_again` uses the same key and
 * payload.
 */
function stepJob(
  at: { orgId: string; runId: string },
  { stepId, activation, type }: PendingSystemStep,
  step?: Step,
): Job {
  const job = { payload: { ...at, stepId, activation }, key: stepJobKey({ runId: at.runId, stepId, activation }) };
  const delayMs = waitMsOf(step);
  if (delayMs !== null) return { ...job, task: WAITING_TASK, delayMs };
  return { ...job, task: STEP_LANES[type].task, turnOf: at.orgId };
}

export const stepJobKey = ({
  runId,
  stepId,
  activation,
}: {
  runId: string;
  stepId: string;
  activation: number;
}): string => `step:${runId}:${activation}:${stepId}`;
