import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { NamedFile } from '@stet/domain/audit';

/** A file that is missing in a folder, or whose digest or size differs from the recorded one. */
export type FileFinding = { file: NamedFile; problem: 'missing' | 'changed' };

/** `unnamed` is the number of files in the folder that the trail doesn't name. */
export type FilesReport = { files: number; findings: FileFinding[]; unnamed: number };

const PIECE_BYTES = 256 * 1024;
const ID_LENGTH = 36;

// A name from the trail could be the name of a program, so only the type that the server detected determines the
// extension.
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/heic': '.heic',
  'application/pdf': '.pdf',
};

/** Returns the name of an exported file: its id, and an extension if its type is known. */
export const exportedName = ({ fileId, mediaType }: NamedFile): string => fileId + (EXTENSIONS[mediaType] ?? '');

/** Files by id, without duplicates. If a step's input was returned and submitted again, a file is named twice. */
export class NamedFiles {
  readonly #files = new Map<string, NamedFile[]>();

  add(files: readonly NamedFile[]): void {
    for (const file of files) {
      const known = this.#files.get(file.fileId) ?? [];
      if (!known.some(({ sha256, size }) => sha256 === file.sha256 && size === file.size))
        this.#files.set(file.fileId, [...known, file]);
    }
  }

  get size(): number {
    return this.#files.size;
  }

  [Symbol.iterator](): Iterator<[string, NamedFile[]]> {
    return this.#files.entries();
  }
}

/**
 * Compares the files of a folder with those that a trail names. The name of a file in the folder begins with its id.
 * Loads only one piece of a file at a time. Throws the system's error if the folder or one of the files can't be read.
 */
export function checkFolder(folder: string, named: NamedFiles): FilesReport {
  const paths = new Map<string, string[]>();
  for (const name of readdirSync(folder)) {
    const id = name.slice(0, ID_LENGTH).toLowerCase();
    paths.set(id, [...(paths.get(id) ?? []), join(folder, name)]);
  }
  const findings: FileFinding[] = [];
  for (const [id, files] of named) {
    const found = paths.get(id) ?? [];
    paths.delete(id);
    const digests = found.map(digestOfFile);
    for (const file of files) {
      if (found.length === 0) findings.push({ file, problem: 'missing' });
      else if (digests.some(({ sha256, size }) => sha256 !== file.sha256 || size !== file.size))
        findings.push({ file, problem: 'changed' });
    }
  }
  return { files: named.size, findings, unnamed: [...paths.values()].flat().length };
}

/** The SHA-256 in lower-case hex, and the size in bytes. */
export function digestOfFile(path: string): { sha256: string; size: number } {
  const hash = createHash('sha256');
  const file = openSync(path, 'r');
  try {
    const piece = Buffer.alloc(PIECE_BYTES);
    let size = 0;
    for (let length = readSync(file, piece); length > 0; length = readSync(file, piece)) {
      hash.update(piece.subarray(0, length));
      size += length;
    }
    return { sha256: hash.digest('hex'), size };
  } finally {
    closeSync(file);
  }
}
