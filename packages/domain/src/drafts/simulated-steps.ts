import { isSimulated, type Step } from '../steps/index.ts';
import type { Blocker } from './refusals.ts';

/** Whether versions with simulated steps may go live; existing runs continue either way (rulings, section 12). */
export const SIMULATED_STEPS_POLICIES = ['allowed', 'refused'] as const;
export type SimulatedStepsPolicy = (typeof SIMULATED_STEPS_POLICIES)[number];

/** The blockers of a merge under the policy on simulated steps; empty if there are none. */
export function blockedAsSimulated(steps: readonly Step[], policy: SimulatedStepsPolicy): Blocker[] {
  const stepIds = policy === 'refused' ? steps.filter(isSimulated).map(({ id }) => id) : [];
  return stepIds.length > 0 ? [{ code: 'simulated_steps', stepIds }] : [];
}
