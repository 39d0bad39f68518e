import { useSyncExternalStore } from 'react';

export const COLOR_SCHEMES = ['system', 'light', 'dark'] as const;
export type ColorScheme = (typeof COLOR_SCHEMES)[number];

// `public/theme-boot.js` reads this key before the first paint.
const STORAGE_KEY = 'stet_theme';

const listeners = new Set<() => void>();

/** The page's current scheme. The boot script read it from storage. */
function readColorScheme(): ColorScheme {
  const shown = document.documentElement.dataset['theme'];
  return shown === 'light' || shown === 'dark' ? shown : 'system';
}

/** Applies the scheme and stores it in this browser. */
export function pickColorScheme(scheme: ColorScheme): void {
  if (scheme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = scheme;
  try {
    if (scheme === 'system') localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, scheme);
  } catch {
    // If storage is unavailable, as in some private windows, the choice lasts until the page is closed.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The current scheme. The component rerenders when the scheme changes anywhere on the page. */
export const useColorScheme = (): ColorScheme => useSyncExternalStore(subscribe, readColorScheme);
