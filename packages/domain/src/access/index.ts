export * from './organization-slug.ts';
export * from './permissions.ts';
export * from './policy-change.ts';
export * from './roles.ts';
export * from './membership.ts';
export * from './api-tokens.ts';
export * from './step-access.ts';
