import { api } from '../../../lib/api/api.ts';
import { session } from '../../../lib/session/session.ts';

/** Ends the session here at once, and tells the server; unheard, the session ends with its token. */
export function logOut(): void {
  api('POST /api/auth/logout').catch(() => undefined);
  session.end('logout');
}
