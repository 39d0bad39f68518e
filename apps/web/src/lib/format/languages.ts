/** The languages that `Intl` accepts. Browsers may list invalid ones, for which it would throw. */
export function knownLanguages(languages: readonly string[]): string[] {
  return languages.filter((language) => {
    try {
      return Intl.DateTimeFormat.supportedLocalesOf(language).length > 0;
    } catch {
      return false;
    }
  });
}
