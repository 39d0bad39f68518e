export * from './calendar.ts';
export * from './clock.ts';
export * from './deadline.ts';
export * from './duration.ts';
export * from './looser-clocks.ts';
export * from './run-sla.ts';
export * from './time-zone.ts';
