export const COLOR_SCHEMES = ['system', 'light', 'dark'] as const;
export type ColorScheme = (typeof COLOR_SCHEMES)[number];

// `public/theme-boot.js` reads the same key before the first paint.
const STORAGE_KEY = 'stet_theme';

/** The scheme this browser keeps; `system` when none was picked or storage is closed. */
export function readColorScheme(): ColorScheme {
  try {
    const kept = localStorage.getItem(STORAGE_KEY);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    return 'system';
  }
}

/** Shows the scheme now and keeps it in this browser. */
export function pickColorScheme(scheme: ColorScheme): void {
  if (scheme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = scheme;
  try {
    if (scheme === 'system') localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, scheme);
  } catch {
    // Storage may be closed (private windows); the pick then lasts as long as the page.
  }
}
