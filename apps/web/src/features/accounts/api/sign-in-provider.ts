import { api } from '../../../lib/api/api.ts';
import { session } from '../../../lib/session/session.ts';

/** Where the browser goes to sign in at the provider; it comes back to the login page. */
export const PROVIDER_START = '/api/auth/oidc/start';

/** Signs in who came back from the provider in this browser, and keeps the token; throws `ApiError`. */
export async function enterByProvider(): Promise<void> {
  const { token } = await api('POST /api/auth/oidc/session', { anonymous: true });
  session.begin(token);
}

/** Connects who came back from the provider to the account that is signed in now; throws `ApiError`. */
export async function connectProvider(): Promise<string> {
  const { message } = await api('POST /api/auth/oidc/connect');
  return message;
}
