import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../lib/api/api.ts';
import { paths } from '../lib/paths.ts';
import { session } from '../lib/session/session.ts';

/** Ends the session here at once, and tells the server; whether it hears makes no difference to this browser. */
export function useLogOut(): () => void {
  const navigate = useNavigate();
  return useCallback(() => {
    // Unheard, the session ends with its token; the person leaves either way.
    api('POST /api/auth/logout').catch(() => undefined);
    session.end('logout');
    void navigate(paths.login, { replace: true });
  }, [navigate]);
}
