/** The languages that `Intl` knows: a browser may name some that are none at all, and would be refused. */
export function knownLanguages(languages: readonly string[]): string[] {
  return languages.filter((language) => {
    try {
      return Intl.DateTimeFormat.supportedLocalesOf(language).length > 0;
    } catch {
      return false;
    }
  });
}
