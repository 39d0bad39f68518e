import { useCallback, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../lib/api/api.ts';
import { paths } from '../lib/paths.ts';
import { session } from '../lib/session/session.ts';
import { hasUnsavedWork } from '../lib/unsaved-work.ts';

// Travels as the state of a navigation, so that a screen with unsaved changes can hold it up.
const LOG_OUT_REQUEST = { logOut: true } as const;

export const isLogOutRequest = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'logOut' in state && state.logOut === true;

/** Ends the session here at once, and tells the server; whether it hears makes no difference to this browser. */
function leave(): void {
  // Unheard, the session ends with its token; the person leaves either way.
  api('POST /api/auth/logout', { keepalive: true }).catch(() => undefined);
  session.end('logout');
}

export function useLogOut(): () => void {
  const navigate = useNavigate();
  return useCallback(() => {
    if (hasUnsavedWork()) return void navigate(paths.editor(), { state: LOG_OUT_REQUEST });
    leave();
    void navigate(paths.login, { replace: true });
  }, [navigate]);
}

/** Stands in the place of the app once the screen that was left let go. */
export function LoggingOut() {
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    leave();
  }, []);
  return null;
}
