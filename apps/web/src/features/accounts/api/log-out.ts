import { api } from '../../../lib/api/api.ts';
import { session } from '../../../lib/session/session.ts';

/**
 * Sends the logout request and, without waiting for the response, ends the session in this browser. If the request
 * fails, the session on the server stays open, at most until its token expires.
 */
export function logOut(): void {
  api('POST /api/auth/logout', { keepalive: true }).catch(() => undefined);
  session.end('logout');
}
