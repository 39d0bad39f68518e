import { ApiError } from '../../../lib/api/api-error.ts';

/**
 * The existing account that must be linked to the provider, which requires its password once. Null for any other error.
 */
export function readConnectable(error: unknown): { email: string; sentence: string } | null {
  if (!(error instanceof ApiError) || error.code !== 'account_to_connect') return null;
  const [first] = error.details as readonly { email?: unknown }[];
  return { email: typeof first?.email === 'string' ? first.email : '', sentence: error.message };
}
