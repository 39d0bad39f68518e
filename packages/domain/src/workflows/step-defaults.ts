import type { StepConfigByType, StepType } from './step.ts';

/**
 * Every default a step can have, in one place (specification, section 9): the SLA text that a new step of the type
 * starts with, and its settings. `timeout` is in seconds. A `timeout`, `minimumApprovers` or `channels` that a step lacks
 * is read as the one here.
 */
export const STEP_DEFAULTS = {
  manual: { sla: '24h', config: { assignedRole: 'editor' } },
  approval: { sla: '48h', config: { minimumApprovers: 1 } },
  automated: { sla: '5m', config: { timeout: 300 } },
  condition: { sla: '1m', config: {} },
  notification: { sla: '5m', config: { channels: ['email', 'in-app'] } },
} as const satisfies {
  readonly [T in StepType]: { readonly sla: string; readonly config: DeepReadonly<StepConfigByType[T]> };
};

/**
 * How an automated step without a script is played (specification, section 9): the wait in milliseconds, the share of
 * runs that fail, and between which bounds the time that it says it took lies, in milliseconds.
 */
export const SIMULATION = { waitMs: 2000, failureRate: 0.1, reportedMs: { least: 1000, most: 6000 } } as const;

/** The settings that a new step of the type starts with; a copy of one's own. */
export function defaultConfig<T extends StepType>(type: T): StepConfigByType[T] {
  const entries = Object.entries<unknown>(STEP_DEFAULTS[type].config);
  const copy = entries.map(([name, value]) => [name, Array.isArray(value) ? [...(value as unknown[])] : value]);
  return Object.fromEntries(copy) as StepConfigByType[T];
}

type DeepReadonly<T> = { readonly [K in keyof T]: T[K] extends object | undefined ? DeepReadonly<T[K]> : T[K] };
