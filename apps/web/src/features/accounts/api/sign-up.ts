import type { BodyInput } from '@stet/contract';
import { api } from '../../../lib/api/api.ts';
import { session } from '../../../lib/session/session.ts';

/**
 * `signed_in`: the response contained a token. `created`: it contained none, so the person must log in (specification,
 * section 4).
 */
type SignedUp = 'signed_in' | 'created';
export type SignupBody = BodyInput<'POST /api/auth/signup'>;

export const signupSchema = async () =>
  (await import('@stet/contract/accounts')).accountRoutes['POST /api/auth/signup'].body;

export async function signUp(body: SignupBody, idempotencyKey: string): Promise<SignedUp> {
  const answer: { token?: string } = await api('POST /api/auth/signup', { body, anonymous: true, idempotencyKey });
  if (!answer.token) return 'created';
  session.begin(answer.token);
  return 'signed_in';
}
