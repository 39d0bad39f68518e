/** A version is named by its number or by its id; the other is null. */
export const versionOf = ({ version }: { version: string | number }): { number: number | null; id: string | null } =>
  typeof version === 'number' ? { number: version, id: null } : { number: null, id: version };
