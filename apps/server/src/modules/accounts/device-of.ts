const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//, 'Safari'],
];
// Mobile systems come first, because their User-Agent also names the system that they are based on.
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows NT\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * The browser and the operating system in a User-Agent header, for example `Firefox on Linux`. Only one of them if the
 * other is unknown, and empty if both are.
 */
export function deviceOf(userAgent: string): string {
  const shortened = userAgent.slice(0, 500);
  const name = (known: readonly [RegExp, string][]): string | undefined =>
    known.find(([sign]) => sign.test(shortened))?.[1];
  const [browser, system] = [name(BROWSERS), name(SYSTEMS)];
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? '');
}
