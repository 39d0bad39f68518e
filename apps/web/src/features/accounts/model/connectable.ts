import { ApiError } from '../../../lib/api/api-error.ts';

/**
 * The existing account that must confirm with its password once before it can use the provider; null for any other
 * outcome.
 */
export function readConnectable(error: unknown): { email: string; sentence: string } | null {
  if (!(error instanceof ApiError) || error.code !== 'account_to_connect') return null;
  const [first] = error.details as readonly { email?: unknown }[];
  return { email: typeof first?.email === 'string' ? first.email : '', sentence: error.message };
}
