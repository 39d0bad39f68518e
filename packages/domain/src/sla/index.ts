export * from './clock.ts';
export * from './duration.ts';
export * from './popover.ts';
export * from './run-sla.ts';
