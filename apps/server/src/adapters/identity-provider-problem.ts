import { type ProviderFailure, ProviderProblem } from '../kernel/identity-provider.ts';

/** Error codes that mean that the person or the provider refused the sign-in. */
const DENIED = new Set([
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
]);
const LATER = new Set(['temporarily_unavailable', 'server_error']);
const TIMES_OUT = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);

/**
 * Maps an error of the OpenID library to a problem. Its text is logged, so it contains only the error's codes and
 * message. The cause may contain tokens, and the description comes from the redirect address, which anyone can forge.
 */
export function providerProblemOf(error: unknown): ProviderProblem {
  if (error instanceof ProviderProblem) return error;
  const { code, status, error: errorCode, cause, message } = error as Failed;
  const words = [code, status, plain(errorCode), typeof code === 'string' ? message : undefined];
  const known = words.filter((word) => word !== undefined).join(' ');
  return new ProviderProblem(failureOf({ code, status, errorCode, cause }), known || nameOf(error, cause));
}

type Failed = {
  code?: string | undefined;
  status?: number | undefined;
  error?: unknown;
  cause?: unknown;
  message?: string;
};

function failureOf({
  code,
  status,
  errorCode,
  cause,
}: Pick<Failed, 'code' | 'status' | 'cause'> & { errorCode: unknown }): ProviderFailure {
  if (typeof errorCode === 'string' && DENIED.has(errorCode)) return 'denied';
  if (typeof errorCode === 'string' && LATER.has(errorCode)) return 'unavailable';
  if (code !== undefined && TIMES_OUT.has(code)) return 'unavailable';
  const answered = status ?? (cause instanceof Response ? cause.status : undefined);
  if (answered !== undefined) return answered >= 500 || answered === 429 ? 'unavailable' : 'failed';
  // The error that `fetch` throws if it can't reach the server.
  return code === undefined && cause instanceof Error ? 'unavailable' : 'failed';
}

const plain = (errorCode: unknown): string | undefined =>
  typeof errorCode === 'string' && /^[a-z_]{1,60}$/.test(errorCode) ? errorCode : undefined;

function nameOf(error: unknown, cause: unknown): string {
  if (!(error instanceof Error)) return 'the sign-in failed';
  const { code } = (cause ?? {}) as { code?: string };
  return `${error.message}${typeof code === 'string' ? ` (${code})` : ''}`;
}
