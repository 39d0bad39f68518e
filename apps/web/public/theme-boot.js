// Runs before the first paint, so that the chosen theme doesn't flash. It is a separate file because the content
// security policy forbids inline scripts. src/ui/theme/color-scheme.ts uses the same key.
try {
  const theme = localStorage.getItem('stet_theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // If storage is unavailable, the system's theme is used.
}
