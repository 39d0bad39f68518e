export * from './actions.ts';
export * from './events.ts';
export * from './hash.ts';
export * from './verify.ts';
