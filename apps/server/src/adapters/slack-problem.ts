import { type SlackFailure, SlackProblem } from '../kernel/slack.ts';

/** Slack's errors for a token that can no longer be used. */
const ENDED = new Set([
  'account_inactive',
  'invalid_auth',
  'not_authed',
  'org_login_required',
  'team_access_not_granted',
  'token_expired',
  'token_revoked',
]);
/** Temporary errors on Slack's side. */
const PASSING = new Set([
  'fatal_error',
  'internal_error',
  'ratelimited',
  'rate_limited',
  'message_limit_exceeded',
  'request_timeout',
  'service_unavailable',
  'team_added_to_org',
]);

/** Classifies an error from Slack's client by how to handle it. */
export function problemOf(error: unknown): SlackProblem {
  if (error instanceof SlackProblem) return error;
  return new SlackProblem(failureOf(error), { cause: error });
}

function failureOf(error: unknown): SlackFailure {
  const { code, retryAfter, data } = error as { code?: string; retryAfter?: number; data?: { error?: string } };
  if (code === 'slack_webapi_rate_limited_error') return { kind: 'later', waitMs: 1000 * (retryAfter ?? 1) };
  const slackError = code === 'slack_webapi_platform_error' ? (data?.error ?? 'unknown_error') : null;
  if (slackError === null || PASSING.has(slackError)) return { kind: 'later', waitMs: 0 };
  return { kind: ENDED.has(slackError) ? 'ended' : 'refused', code: slackError };
}
