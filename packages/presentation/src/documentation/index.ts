export * from './described-form.ts';
export * from './described-steps.ts';
export * from './task-text.ts';
export * from './ways.ts';
