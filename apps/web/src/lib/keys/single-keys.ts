import { useSyncExternalStore } from 'react';

const STORAGE_KEY = 'stet_single_keys';

const listeners = new Set<() => void>();
// Used if storage is unavailable.
let memory = true;

/** Whether shortcuts without Ctrl, Cmd or Alt are on. People who use speech input can turn them off (WCAG 2.1.4). */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off';
  } catch {
    return memory;
  }
}

/** Turns single-key shortcuts on or off for this browser. */
export function setSingleKeys(on: boolean): void {
  memory = on;
  try {
    if (on) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, 'off');
  } catch {
    // If storage is unavailable, as in some private windows, the choice lasts until the page is closed.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSingleKeys = (): boolean => useSyncExternalStore(subscribe, areSingleKeysOn);
