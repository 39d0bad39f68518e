export * from './addresses.ts';
export * from './retries.ts';
