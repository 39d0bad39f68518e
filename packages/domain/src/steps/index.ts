export * from './automated/automated.ts';
export * from './automated/simulation.ts';
export * from './condition/branches.ts';
export { branchesOf } from './condition/condition.ts';
export * from './kind.ts';
export * from './manual/input-fields.ts';
export { NOTIFICATION_CHANNELS, type NotificationChannel } from './notification/notification.ts';
export * from './references.ts';
export * from './step.ts';
