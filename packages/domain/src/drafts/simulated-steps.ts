import { isSimulated } from '../workflows/simulated.ts';
import type { Step } from '../workflows/step.ts';
import type { Blocker } from './refusals.ts';

/** Whether versions with simulated steps may go live; runs of those that are live go on either way (rulings, section 12). */
export const SIMULATED_STEPS_POLICIES = ['allowed', 'refused'] as const;
export type SimulatedStepsPolicy = (typeof SIMULATED_STEPS_POLICIES)[number];

/** What the policy on simulated steps blocks of a merge; empty if nothing. */
export function blockedAsSimulated(steps: readonly Step[], policy: SimulatedStepsPolicy): Blocker[] {
  const stepIds = policy === 'refused' ? steps.filter(isSimulated).map(({ id }) => id) : [];
  return stepIds.length > 0 ? [{ code: 'simulated_steps', stepIds }] : [];
}
