import { randomKey } from '../api/random-key.ts';

// The selected organization is stored with the user on the server; tabs only notify each other of a change.
const SWITCHED_KEY = 'stet_organization_switched';

/** Notifies this browser's other tabs that another organization was selected. */
export function announceSwitch(): void {
  try {
    // Always a new value, because only changes fire an event.
    localStorage.setItem(SWITCHED_KEY, randomKey());
  } catch {
    // Storage is unavailable: the other tabs notice when they receive focus.
  }
}

/** Calls back when another tab selected another organization; returns a function that stops it. */
export function onSwitchElsewhere(listener: () => void): () => void {
  const receive = (event: StorageEvent) => {
    if (event.key === SWITCHED_KEY && event.newValue !== null) listener();
  };
  window.addEventListener('storage', receive);
  return () => window.removeEventListener('storage', receive);
}
