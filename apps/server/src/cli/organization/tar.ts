import { readSync } from 'node:fs';
import type { Span } from '../file-lines.ts';

/** The unit of a tar archive, in bytes. */
export const BLOCK = 512;

const NAME_BYTES = 100;
const PREFIX_BYTES = 155;
// The largest size in eleven octal digits.
const MAX_OCTAL = 8 ** 11 - 1;

/** A file's path in the archive, its size in bytes, and when it was written, in seconds since 1970. */
export type TarEntry = { path: string; size: number; at: number };

/**
 * Returns the header of a file in a tar archive (POSIX ustar). Only the owner of the extracted file can read it. Sizes
 * of 8 GiB and more are written in base 256, as GNU tar and libarchive do. Throws a `RangeError` if the path is too long.
 */
export function tarHeader({ path, size, at }: TarEntry): Buffer {
  const [prefix, name] = splitPath(path);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  if (size <= MAX_OCTAL) header.write(`${octal(size, 11)}\0`, 124);
  else {
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  header.write(`${octal(at, 11)}\0`, 136);
  header.write('0', 156);
  header.write('ustar\u{0}00', 257);
  header.write(prefix, 345);
  header.write(`${octal(checksumOf(header), 6)}\0 `, 148);
  return header;
}

/** Returns the bytes after a file's content, up to the next full block. */
export const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

function splitPath(path: string): [prefix: string, name: string] {
  if (Buffer.byteLength(path) <= NAME_BYTES) return ['', path];
  const at = path.lastIndexOf('/');
  const [prefix, name] = [path.slice(0, Math.max(at, 0)), path.slice(at + 1)];
  if (at <= 0 || Buffer.byteLength(prefix) > PREFIX_BYTES || Buffer.byteLength(name) > NAME_BYTES)
    throw new RangeError(`${path} is too long for a tar archive`);
  return [prefix, name];
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

/** The sum of all bytes of a header, in which spaces replace the sum itself. */
function checksumOf(header: Buffer): number {
  let sum = 8 * 0x20;
  header.forEach((byte, n) => (sum += n >= 148 && n < 156 ? 0 : byte));
  return sum;
}

/** Returns the file that a header describes. Null unless `tarHeader` could have written exactly these bytes. */
function readTarHeader(header: Buffer): TarEntry | null {
  const text = (from: number, length: number): string =>
    header.toString('utf8', from, from + length).split('\0', 1)[0] ?? '';
  const prefix = text(345, PREFIX_BYTES);
  const path = prefix === '' ? text(0, NAME_BYTES) : `${prefix}/${text(0, NAME_BYTES)}`;
  const size = header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(text(124, 12), 8);
  const at = Number.parseInt(text(136, 12), 8);
  if (path === '' || !Number.isSafeInteger(size) || !Number.isSafeInteger(at) || at < 0) return null;
  try {
    const entry = { path, size, at };
    return tarHeader(entry).equals(header) ? entry : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** `damaged`: a header or the bytes between two files were changed. `cut`: the archive ends too early. */
export type TarProblem = { kind: 'damaged' | 'cut'; sentence: string };

/**
 * Lists the files of an archive whose headers `tarHeader` wrote, with the places of their contents. Checks every byte
 * outside the contents. Stops at the first problem.
 *
 * @param file an open file
 * @param length its size in bytes
 */
export function listTar(file: number, length: number): { files: Map<string, Span>; problem: TarProblem | null } {
  const files = new Map<string, Span>();
  const block = Buffer.alloc(BLOCK);
  const read = (at: number, size = BLOCK): Buffer => block.subarray(0, readSync(file, block, 0, size, at));
  const isEmpty = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);
  let last: string | null = null;
  const stopped = (kind: TarProblem['kind'], what: string) => ({
    files,
    problem: { kind, sentence: `${what}${last === null ? '' : ` after ${last}`}.` },
  });
  for (let at = 0; ;) {
    const header = read(at);
    if (header.length < BLOCK) return stopped('cut', 'The archive is cut off');
    if (isEmpty(header)) return endAt(at);
    const entry = readTarHeader(header);
    if (!entry) return stopped('damaged', 'The description of the next file is damaged');
    if (files.has(entry.path)) return stopped('damaged', `There is a second ${entry.path}`);
    const start = at + BLOCK;
    const end = start + entry.size;
    if (end > length) return stopped('cut', `The archive is cut off in ${entry.path}`);
    files.set(entry.path, { start, size: entry.size });
    last = entry.path;
    const padding = read(end, paddingOf(entry.size));
    if (!isEmpty(padding)) return stopped('damaged', 'There is unexpected data');
    at = end + paddingOf(entry.size);
  }

  function endAt(at: number): ReturnType<typeof listTar> {
    const second = read(at + BLOCK);
    if (second.length < BLOCK) return stopped('cut', 'The archive is cut off');
    if (!isEmpty(second) || length !== at + 2 * BLOCK) return stopped('damaged', 'There is unexpected data');
    return { files, problem: null };
  }
}
