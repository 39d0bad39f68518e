import { useCallback, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../lib/paths.ts';
import { logOut } from '../features/accounts/api/log-out.ts';
import { forgetTypedInput } from '../features/runs/components/use-typed-input.ts';
import { hasUnsavedWork } from '../lib/unsaved-work.ts';

// If a screen has unsaved changes, logging out is requested through navigation state, so that the screen can block it.
const LOG_OUT_REQUEST = { logOut: true } as const;

export const isLogOutRequest = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'logOut' in state && state.logOut === true;

function leave(): void {
  forgetTypedInput();
  logOut();
}

export function useLogOut(): () => void {
  const navigate = useNavigate();
  return useCallback(() => {
    if (hasUnsavedWork()) return void navigate(paths.editor(), { state: LOG_OUT_REQUEST });
    leave();
    void navigate(paths.login, { replace: true });
  }, [navigate]);
}

/** Rendered once the previous screen has allowed the navigation. */
export function LoggingOut() {
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    leave();
  }, []);
  return null;
}
