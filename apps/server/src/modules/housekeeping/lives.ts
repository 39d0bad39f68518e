/**
 * The data that housekeeping deletes, each kind with its retention period and the event from which the period counts.
 * `kind` is a kind in the database function `sweep_piece`, and `life` is an interval of PostgreSQL.
 */
export const LIVES = [
  { kind: 'sessions', data: 'sign-ins', life: '30 days', after: 'they expired, so that incidents can be investigated' },
  { kind: 'password_resets', data: 'password reset links', life: '1 day', after: 'they expired' },
  { kind: 'rate_limits', data: 'counts of calls for rate limits', life: '1 day', after: 'their window began' },
  { kind: 'idempotency_keys', data: 'saved responses by idempotency key', life: '1 day', after: 'the request' },
  { kind: 'notifications', data: 'notifications of a person', life: '1 year', after: 'they were created' },
  { kind: 'role_notifications', data: 'notifications of a role', life: '1 year', after: 'they were created' },
  { kind: 'digests', data: 'daily emails', life: '1 year', after: 'their day, once their notifications are deleted' },
  { kind: 'webhook_deliveries', data: 'webhook deliveries', life: '30 days', after: 'they were delivered or failed' },
  { kind: 'slack_messages', data: 'records of Slack messages', life: '1 year', after: 'they were sent or refused' },
  { kind: 'failed_jobs', data: 'jobs that failed for good', life: '90 days', after: 'their last attempt' },
] as const;
