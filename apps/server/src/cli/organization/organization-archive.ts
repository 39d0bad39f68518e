import { originOf } from '@stet/domain/audit';

/** Files that verification looks for in an archive by name. */
export const TRAIL = 'audit/trail.ndjson';
export const MANIFEST = 'manifest.json';
/** The file with the SHA-256 of every file before it, in the format of `sha256sum`. */
export const SUMS = 'SHA256SUMS';
/** The file with the signature over `SUMS`, as a signed note. */
export const SIGNATURE = 'SHA256SUMS.signed';

export const ARCHIVE_FORMAT = 1;

/**
 * The text that an archive's signature signs. It differs from the texts of checkpoints and exported trails, so that a
 * signature can't be used for another purpose.
 *
 * @param sha256 the digest of `SUMS` in lower-case hex
 */
export const signedText = (orgId: string, sha256: string): string =>
  `stet archive of ${originOf(orgId)}\n${sha256}  ${SUMS}\n`;

/** Returns the organization of an archive's signature. Null if the text has a different format. */
export const signedOrganization = (note: string): string | null =>
  /^stet archive of stet\/([0-9a-f-]{36})\n/.exec(note)?.[1] ?? null;

export type Summed = { path: string; sha256: string };

/** A line of `SUMS`. */
export const sumLine = ({ path, sha256 }: Summed): string => `${sha256}  ${path}\n`;

/** Parses the lines of `SUMS`. Null if one of them has a different format, or if the last one has no line break. */
export function readSums(text: string): Summed[] | null {
  if (!text.endsWith('\n')) return null;
  const sums = text.slice(0, -1).split('\n');
  const read = sums.map((line) => /^([0-9a-f]{64}) {2}(.+)$/.exec(line));
  return read.every((match) => match !== null) ? read.map(([, sha256 = '', path = '']) => ({ sha256, path })) : null;
}
