import { ApiError } from '../../../lib/api/api-error.ts';

/** The account whose password is asked for once, where that is why someone was not signed in; else null. */
export function readConnectable(error: unknown): { email: string; sentence: string } | null {
  if (!(error instanceof ApiError) || error.code !== 'account_to_connect') return null;
  const [first] = error.details as readonly { email?: unknown }[];
  return { email: typeof first?.email === 'string' ? first.email : '', sentence: error.message };
}
