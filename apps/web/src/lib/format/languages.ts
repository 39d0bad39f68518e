/** The languages that `Intl` accepts: a browser may list invalid ones, which would throw. */
export function knownLanguages(languages: readonly string[]): string[] {
  return languages.filter((language) => {
    try {
      return Intl.DateTimeFormat.supportedLocalesOf(language).length > 0;
    } catch {
      return false;
    }
  });
}
