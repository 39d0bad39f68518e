import { api } from '../../../lib/api/api.ts';
import { session } from '../../../lib/session/session.ts';

/**
 * Ends the session in this browser immediately and notifies the server; if that fails, the session ends with its token.
 */
export function logOut(): void {
  api('POST /api/auth/logout').catch(() => undefined);
  session.end('logout');
}
