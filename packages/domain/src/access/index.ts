export * from './organization-slug.ts';
export * from './permissions.ts';
export * from './proof.ts';
export * from './confirmations.ts';
export * from './roles.ts';
export * from './membership.ts';
export * from './api-tokens.ts';
export * from './step-access.ts';
