import { api } from '../../../lib/api/api.ts';
import { session } from '../../../lib/session/session.ts';
import { signupBody } from '../model/signup-form.ts';
import type { SignupForm } from '../model/signup-form.ts';

/** `signed_in`: the answer had a token. `created`: it had none, so the person has to log in (specification, section 4). */
type SignedUp = 'signed_in' | 'created';

/** Creates the account; throws `ApiError`. */
export async function signUp(form: SignupForm, idempotencyKey: string): Promise<SignedUp> {
  const answer: { token?: string } = await api('POST /api/auth/signup', {
    body: signupBody(form),
    anonymous: true,
    idempotencyKey,
  });
  if (!answer.token) return 'created';
  session.begin(answer.token);
  return 'signed_in';
}
