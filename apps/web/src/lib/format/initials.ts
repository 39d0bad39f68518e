/**
 * Up to two letters for an avatar: the first letters of the first and last word of a name, or the first letter of a
 * single word, such as a role or an address. A name without letters and digits gets `?`.
 */
export function initials(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => word.match(/[\p{L}\p{N}]/u) ?? []);
  const last = letters.length > 1 ? (letters.at(-1) ?? '') : '';
  return ((letters[0] ?? '?') + last).toUpperCase();
}
