export { actOnRun } from './act-on-run.ts';
export { heldSteps, releaseHeld } from './release-held.ts';
