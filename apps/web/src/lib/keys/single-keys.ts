import { useSyncExternalStore } from 'react';

const STORAGE_KEY = 'stet_single_keys';

const listeners = new Set<() => void>();
// What stands where storage is closed.
let memory = true;

/** Whether keys without Ctrl, Cmd or Alt do something outside of texts (WCAG 2.1.4: who speaks to their computer turns them off). */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off';
  } catch {
    return memory;
  }
}

/** Turns them on or off in this browser, on every screen. */
export function setSingleKeys(on: boolean): void {
  memory = on;
  try {
    if (on) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, 'off');
  } catch {
    // Storage may be closed (private windows); the choice then lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSingleKeys = (): boolean => useSyncExternalStore(subscribe, areSingleKeysOn);
