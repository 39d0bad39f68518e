import { api } from '../../../lib/api/api.ts';
import { session } from '../../../lib/session/session.ts';

/** Signs in and keeps the token; throws `ApiError`. */
export async function logIn(credentials: { email: string; password: string }): Promise<void> {
  const { token } = await api('POST /api/auth/login', { body: credentials, anonymous: true });
  session.begin(token);
}
