import { useSyncExternalStore } from 'react';
import { session } from './session.ts';

/** The current token. It changes when any tab signs in or out. */
export function useToken(): string | null {
  return useSyncExternalStore(session.subscribe, session.token);
}
