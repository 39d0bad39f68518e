export { actOnRun } from './act-on-run.ts';
