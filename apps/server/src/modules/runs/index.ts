export { actOnRun } from './act-on-run.ts';
export { heldSteps, releaseHeld, releaserOf } from './release-held.ts';
export { uncountedApprovals } from './uncounted-approvals.ts';
