/** The languages that `Intl` accepts. Browsers may list invalid ones, and `Intl` would throw for those. */
export function knownLanguages(languages: readonly string[]): string[] {
  return languages.filter((language) => {
    try {
      return Intl.DateTimeFormat.supportedLocalesOf(language).length > 0;
    } catch {
      return false;
    }
  });
}

/** The language and time zone of this browser, for dates in documents from the server. */
export const browserDateForm = (): { locale: string; timeZone: string } => ({
  locale: knownLanguages(navigator.languages)[0] ?? 'en-GB',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});
