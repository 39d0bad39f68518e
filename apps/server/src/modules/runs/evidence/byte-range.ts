/** A part of a file, in bytes. */
export type ByteRange = { from: number; length: number };

/**
 * Returns the part of a file that a Range header names (RFC 9110, section 14), `null` for the whole file, and
 * `'unsatisfiable'` for a part that the file doesn't have. Ignores headers with several ranges, other units, errors or
 * numbers of more than 15 digits, as the RFC allows.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { from: size - length, length };
  }
  const from = Number(first);
  const to = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < from) return null;
  return from >= size ? 'unsatisfiable' : { from, length: to - from + 1 };
}
