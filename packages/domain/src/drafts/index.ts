export * from './diff.ts';
export * from './diff-rows.ts';
export * from './diff-words.ts';
export * from './merge.ts';
export * from './policy.ts';
export * from './refusals.ts';
export * from './settle.ts';
export * from './state.ts';
