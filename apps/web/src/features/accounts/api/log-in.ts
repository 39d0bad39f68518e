import { api } from '../../../lib/api/api.ts';
import { session } from '../../../lib/session/session.ts';

export const loginSchema = async () =>
  (await import('@stet/contract/accounts')).accountRoutes['POST /api/auth/login'].body;

/** Signs in and stores the token. */
export async function logIn(credentials: { email: string; password: string }): Promise<void> {
  const { token } = await api('POST /api/auth/login', { body: credentials, anonymous: true });
  session.begin(token);
}
