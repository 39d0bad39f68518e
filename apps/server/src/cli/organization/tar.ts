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
 * of 8 GiB and more are written in base 256, as GNU tar and libarchive do. Throws a `RangeError` if the path is too
 * long.
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

/** Returns the number of bytes from the end of a file's content to the end of its last block. */
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

/** A header that was read. `isOurs` is true if `tarHeader` writes exactly these bytes. */
type ReadHeader = TarEntry & { isOurs: boolean };

/** Returns the file that a header describes. Null if the header is damaged. */
function readTarHeader(header: Buffer): ReadHeader | null {
  const text = (from: number, length: number): string =>
    header.toString('utf8', from, from + length).split('\0', 1)[0] ?? '';
  if (text(257, 5) !== 'ustar' || Number.parseInt(text(148, 8), 8) !== checksumOf(header)) return null;
  const prefix = text(345, PREFIX_BYTES);
  const path = prefix === '' ? text(0, NAME_BYTES) : `${prefix}/${text(0, NAME_BYTES)}`;
  const size = header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(text(124, 12), 8);
  const at = Number.parseInt(text(136, 12), 8);
  if (path === '' || !Number.isSafeInteger(size) || size < 0 || !Number.isSafeInteger(at) || at < 0) return null;
  const entry = { path, size, at };
  try {
    return { ...entry, isOurs: tarHeader(entry).equals(header) };
  } catch (error) {
    if (error instanceof RangeError) return { ...entry, isOurs: false };
    throw error;
  }
}

/**
 * `damaged` means that bytes outside the contents were changed, `cut` that the archive ends too early. `path` is the
 * file whose header or padding was changed, or that occurs twice. It is null for everything else, also for a file in
 * which the archive ends.
 */
export type TarProblem = { kind: 'damaged' | 'cut'; path: string | null; sentence: string };

/**
 * Lists the files of an archive that `tarHeader` wrote, with the places of their contents. Checks every byte outside
 * the contents. After damage, continues with the next intact header that has the time of the first intact one. If one
 * of the files is an archive itself, the headers in it have another time, so they are not mistaken for headers of this
 * one.
 *
 * @param file an open file
 * @param length its size in bytes
 */
export function listTar(file: number, length: number): { files: Map<string, Span>; problems: TarProblem[] } {
  const files = new Map<string, Span>();
  const problems: TarProblem[] = [];
  const block = Buffer.alloc(BLOCK);
  const read = (at: number, size = BLOCK): Buffer => block.subarray(0, readSync(file, block, 0, size, at));
  const isEmpty = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);
  let last: string | null = null;
  let time: number | null = null;
  const report = (kind: TarProblem['kind'], path: string | null, what: string): void => {
    problems.push({ kind, path, sentence: `${what}${last === null ? '' : ` after ${last}`}.` });
  };
  for (let at = 0; ;) {
    const header = read(at);
    if (header.length === BLOCK && isEmpty(header)) {
      const second = read(at + BLOCK);
      if (second.length < BLOCK) report('cut', null, 'The archive is truncated');
      else if (!isEmpty(second) || length !== at + 2 * BLOCK) {
        report('damaged', null, 'There is unexpected data');
        at = nextHeader(at + BLOCK);
        continue;
      }
      return { files, problems };
    }
    if (header.length < BLOCK) {
      // The search for a header after damage also ends here.
      if (problems.length === 0) report('cut', null, 'The archive is truncated');
      return { files, problems };
    }
    const entry = readTarHeader(header);
    if (!entry) {
      report('damaged', null, 'The description of the next file is damaged');
      at = nextHeader(at + BLOCK);
      continue;
    }
    const { path, size } = entry;
    if (entry.isOurs) time ??= entry.at;
    const start = at + BLOCK;
    const end = start + size;
    if (end > length) {
      report('cut', null, `The archive is truncated in ${path}`);
      at = nextHeader(start);
      continue;
    }
    if (files.has(path)) report('damaged', path, `There is a second ${path}`);
    else if (!entry.isOurs) report('damaged', path, `The description of ${path} was changed`);
    if (!files.has(path)) files.set(path, { start, size });
    last = path;
    if (!isEmpty(read(end, paddingOf(size)))) report('damaged', path, 'There is unexpected data');
    at = end + paddingOf(size);
  }

  function nextHeader(from: number): number {
    for (let at = from; at < length; at += BLOCK) {
      const entry = readTarHeader(read(at));
      if (entry?.isOurs && (time === null || entry.at === time)) return at;
    }
    return length;
  }
}
