import { useSyncExternalStore } from 'react';

const STORAGE_KEY = 'stet_single_keys';

const listeners = new Set<() => void>();
// The value if storage is unavailable.
let memory = true;

/**
 * Whether shortcuts without Ctrl, Cmd or Alt are on, outside text fields (WCAG 2.1.4: people who use speech input turn
 * them off).
 */
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
    // Storage may be unavailable (private windows); the choice then lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSingleKeys = (): boolean => useSyncExternalStore(subscribe, areSingleKeysOn);
