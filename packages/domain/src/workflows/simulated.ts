import type { Step } from './step.ts';

/** True if an automated step has no script, so that the simulation stands in for it (rulings, section 6). */
export const isSimulated = (step: Step | undefined): boolean =>
  step?.type === 'automated' && (step.config.script ?? '').trim() === '';
