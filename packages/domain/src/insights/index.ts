export * from './cells.ts';
export * from './findings.ts';
export * from './report.ts';
export * from './reviews.ts';
export * from './spread.ts';
export { MEASURES, type Measure, type RunTrace, type TracedNote, type TracedRun, traceRun } from './trace.ts';
