import { api } from '../../../lib/api/api.ts';
import { session } from '../../../lib/session/session.ts';

/**
 * Ends the session in this browser immediately and then notifies the server. If that fails, the session on the server
 * ends when its token expires.
 */
export function logOut(): void {
  api('POST /api/auth/logout').catch(() => undefined);
  session.end('logout');
}
