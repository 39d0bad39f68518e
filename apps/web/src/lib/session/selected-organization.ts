import { randomKey } from '../api/random-key.ts';

// Which organization is selected lives with the user, on the server; tabs only tell each other that it changed.
const NOTICE_KEY = 'stet_organization_switched';

/** Tells this browser's other tabs that another organization was selected. */
export function announceSwitch(): void {
  try {
    // Never the same twice: only a change of the value is told.
    localStorage.setItem(NOTICE_KEY, randomKey());
  } catch {
    // Closed storage: the other tabs notice when they get focus.
  }
}

/** Calls back when another tab selected another organization; answers what ends it. */
export function onSwitchElsewhere(listener: () => void): () => void {
  const hear = (event: StorageEvent) => {
    if (event.key === NOTICE_KEY && event.newValue !== null) listener();
  };
  window.addEventListener('storage', hear);
  return () => window.removeEventListener('storage', hear);
}
