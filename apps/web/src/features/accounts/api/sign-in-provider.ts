import { api } from '../../../lib/api/api.ts';
import { session } from '../../../lib/session/session.ts';

/** The page that starts a sign-in at the identity provider. The browser then returns to the login page. */
export const PROVIDER_START = '/api/auth/oidc/start';

/** Signs in the person that the provider has identified in this browser, and stores the token. */
export async function enterByProvider(): Promise<void> {
  const { token } = await api('POST /api/auth/oidc/session', { anonymous: true });
  session.begin(token);
}

/** Links the provider's identity to the signed-in account. Returns the server's message. */
export async function connectProvider(): Promise<string> {
  const { message } = await api('POST /api/auth/oidc/connect');
  return message;
}
