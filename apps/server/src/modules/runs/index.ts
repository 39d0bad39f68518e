export { actOnRun } from './act-on-run.ts';
export { releaseHeld } from './release-held.ts';
