export * from './digest.ts';
export * from './mentions.ts';
export * from './preferences.ts';
