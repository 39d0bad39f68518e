import {
  type PendingSystemStep,
  type RunFact,
  type RunState,
  type RunWorkflow,
  pendingSystemSteps,
} from '@stet/domain/runs';
import { SIMULATION, type Step, isSimulated } from '@stet/domain/workflows';
import type { Job } from '../../db/outbox.ts';

type Run = { orgId: string; runId: string; workflow: RunWorkflow; state: RunState };

/** The jobs that facts ask for: one tells the assignee of a step, one carries out a step of the server's. */
export function jobsFor({ orgId, runId, workflow, state }: Run, facts: readonly RunFact[]): Job[] {
  const activated = facts.filter((fact) => fact.type === 'step_activated');
  // While a run was paused or failed, what was active went without a job, or its result was not taken.
  const wakesAll = facts.some(({ type }) => type === 'run_resumed' || type === 'step_retried');
  const fresh = new Set(activated.map(({ stepId }) => stepId));
  const steps = new Map(workflow.steps.map((step) => [step.id, step]));
  return [
    ...activated
      .filter(({ stepId }) => isForPeople(steps.get(stepId)))
      .map(({ stepId, activation }) => ({ task: 'notify_assignee', payload: { orgId, runId, stepId, activation } })),
    ...pendingSystemSteps(workflow, state)
      .filter(({ stepId }) => wakesAll || fresh.has(stepId))
      .map((pending) => stepJob({ orgId, runId }, pending, steps.get(pending.stepId))),
  ];
}

const isForPeople = (step: Step | undefined): boolean => step?.type === 'manual' || step?.type === 'approval';

const TASKS = {
  notification: 'carry_out_message',
  automated: 'carry_out_script',
  condition: 'carry_out_condition',
} as const satisfies Record<PendingSystemStep['type'], string>;

/** The job that carries out one activation of a step. All of it is named again in `make_lost_jobs_again`. */
function stepJob(
  at: { orgId: string; runId: string },
  { stepId, activation, type }: PendingSystemStep,
  step?: Step,
): Job {
  const job = { payload: { ...at, stepId, activation }, key: stepJobKey({ runId: at.runId, stepId, activation }) };
  // What stands in for a script takes nobody's time: it needs no turn.
  if (isSimulated(step)) return { ...job, task: 'carry_out_step', delayMs: SIMULATION.waitMs };
  return { ...job, task: TASKS[type], turnOf: at.orgId };
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
