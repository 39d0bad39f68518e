import type { StepConfigByType, StepType } from './step.ts';

/**
 * Every default a step can have, in one place (specification, section 9): the SLA text that a new step of the type
 * starts with, and its settings. Times in `timeout` are seconds.
 */
export const STEP_DEFAULTS: {
  readonly [T in StepType]: { readonly sla: string; readonly config: StepConfigByType[T] };
} = {
  manual: { sla: '24h', config: { assignedRole: 'editor' } },
  approval: { sla: '48h', config: { minimumApprovers: 1 } },
  automated: { sla: '5m', config: { timeout: 300 } },
  condition: { sla: '1m', config: {} },
  notification: { sla: '5m', config: {} },
};
