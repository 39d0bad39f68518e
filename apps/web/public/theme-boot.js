// Before the first paint, so that a picked theme doesn't flash. A file, because the content security policy refuses
// inline scripts. The key is the one of src/ui/theme/color-scheme.ts.
try {
  const theme = localStorage.getItem('stet_theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be closed: the system's theme stands.
}
