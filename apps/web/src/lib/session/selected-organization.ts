import { randomKey } from '../api/random-key.ts';

// The server stores the selected organization of each user. Tabs only notify each other that it has changed.
const SWITCHED_KEY = 'stet_organization_switched';

/** Notifies this browser's other tabs that a different organization was selected. */
export function announceSwitch(): void {
  try {
    // The value must change each time, because storage events only fire on changes.
    localStorage.setItem(SWITCHED_KEY, randomKey());
  } catch {
    // If storage is unavailable, the other tabs notice the switch with their next call, or when they receive focus.
  }
}

/** Calls back when another tab has selected a different organization. Returns a function that stops listening. */
export function onSwitchElsewhere(listener: () => void): () => void {
  const receive = (event: StorageEvent) => {
    if (event.key === SWITCHED_KEY && event.newValue !== null) listener();
  };
  window.addEventListener('storage', receive);
  return () => window.removeEventListener('storage', receive);
}
