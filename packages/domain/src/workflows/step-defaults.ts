import { STEP_DEFAULTS } from '../defaults/table.ts';
import type { StepConfigByType, StepType } from './step.ts';

export { SIMULATION, STEP_DEFAULTS } from '../defaults/table.ts';

/** The settings that a new step of the type starts with; a copy of one's own. */
export function defaultConfig<T extends StepType>(type: T): StepConfigByType[T] {
  const entries = Object.entries<unknown>(STEP_DEFAULTS[type].config);
  const copy = entries.map(([name, value]) => [name, Array.isArray(value) ? [...(value as unknown[])] : value]);
  return Object.fromEntries(copy) as StepConfigByType[T];
}
