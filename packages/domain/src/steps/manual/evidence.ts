/** The bytes of a megabyte, in limits and in sizes that people read. */
export const MEGABYTE = 1024 * 1024;

/** Limits of files in forms and notes, in bytes and counts. */
export const FILE_LIMITS = { bytes: 25 * MEGABYTE, chunk: 256 * 1024, perStep: 20, perNote: 10, name: 255 } as const;

/**
 * A file in a step's output or in a note. `sha256` is the lower-case hex digest of its `size` bytes; `mediaType` is
 * derived from these bytes.
 */
export type Evidence = { fileId: string; sha256: string; size: number; name: string; mediaType: string };

/** True if the server makes a preview of files with this media type. */
export const canHavePreview = (mediaType: string): boolean => mediaType === 'image/png' || mediaType === 'image/jpeg';

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export function isEvidence(value: unknown): value is Evidence {
  if (typeof value !== 'object' || value === null) return false;
  const { fileId, sha256, size, name, mediaType } = value as Record<string, unknown>;
  return (
    [fileId, name, mediaType].every(isText) &&
    isText(sha256) &&
    /^[0-9a-f]{64}$/.test(sha256) &&
    Number.isSafeInteger(size)
  );
}

/** Returns the files in a list, for example those of a note; empty if it isn't a list. */
export const filesOf = (value: unknown): Evidence[] => (Array.isArray(value) ? value.filter(isEvidence) : []);

/** Returns the files in a step's output, in the order of its fields; empty for an output without a form. */
export function evidenceIn(output: unknown): Evidence[] {
  const fields: unknown = typeof output === 'object' && output !== null && 'fields' in output ? output.fields : null;
  if (typeof fields !== 'object' || fields === null) return [];
  return Object.values(fields).flatMap(filesOf);
}

/** Returns the number of chunks of a file with this size in bytes. */
export const chunksOf = (size: number): number => Math.ceil(size / FILE_LIMITS.chunk);

/** Returns the length of a chunk in bytes; 0 if the file has no such chunk. */
export const chunkLength = (size: number, n: number): number =>
  Math.max(0, Math.min(FILE_LIMITS.chunk, size - n * FILE_LIMITS.chunk));

const SIZE_UNITS = [
  ['kB', 1023.5, 1024],
  ['MB', 9999.5, MEGABYTE],
] as const;

/** Returns a size for a reader, for example '2.4 MB' or '5000 MB', in the unit of the limits (`MEGABYTE`). */
export function sizeWords(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const [unit, , of] =
    SIZE_UNITS.find(([, below, size]) => bytes < below * size) ?? (['GB', 0, 1024 * MEGABYTE] as const);
  const number = bytes / of;
  return `${number < 10 ? number.toFixed(1) : Math.round(number)} ${unit}`;
}
