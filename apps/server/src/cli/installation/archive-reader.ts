import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { CommandProblem } from '../command.ts';
import { type Decryption, Undecryptable, WrongKey, decrypted, isEncrypted } from './age.ts';
import {
  type BackupEnd,
  type BackupLine,
  FORMAT,
  type Header,
  type Row,
  header,
  readBackupLine,
} from './backup-format.ts';

/** The file of a backup, and how to decrypt it if it is encrypted. */
export type Archive = { file: string; decryption: Decryption | null };

/**
 * Checks an entire archive before it is used. Refuses one that is incomplete, damaged or in a different format, or that
 * can't be read or decrypted.
 */
export async function checkArchive(archive: Archive): Promise<{ header: Header; end: BackupEnd }> {
  const { file } = archive;
  const hash = createHash('sha256');
  let first: Header | null = null;
  let end: BackupEnd | null = null;
  for await (const text of linesOf(archive)) {
    if (end) throw damaged(file, 'there is data after its end');
    const line = parsed(file, text);
    if (!first) {
      const read = header.safeParse(line);
      if (!read.success) throw damaged(file, 'it does not start like a backup');
      if (read.data.format !== FORMAT)
        throw new CommandProblem(`${file} was made by a different version of Stet (format ${read.data.format}).`);
      first = read.data;
    }
    if ('type' in line && line.type === 'end') end = line;
    else hash.update(`${text}\n`);
  }
  if (!first || !end) throw damaged(file, 'it is cut off');
  if (hash.digest('hex') !== end.sha256) throw damaged(file, 'its checksum is wrong');
  return { header: first, end };
}

/** The lines of a checked archive. */
export async function* readArchive(archive: Archive): AsyncGenerator<BackupLine | Row> {
  for await (const text of linesOf(archive)) yield parsed(archive.file, text);
}

async function* linesOf(archive: Archive): AsyncGenerator<string> {
  const { file } = archive;
  const gunzip = createGunzip();
  const decoder = new StringDecoder('utf8');
  let rest = '';
  try {
    pipeline(await contentOf(archive), gunzip, () => {}); // A read error ends the loop below.
    for await (const piece of gunzip) {
      const lines = (rest + decoder.write(piece as Buffer)).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    if (error instanceof CommandProblem) throw error;
    if (error instanceof WrongKey)
      throw new CommandProblem(
        `${file} can't be decrypted: it is encrypted with a different passphrase or key, or its header is damaged.`,
      );
    if (error instanceof Undecryptable) throw damaged(file, 'it was changed or cut off');
    const { code, message, syscall } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) throw new CommandProblem(`${file} can't be read: ${message}`);
    if (code?.startsWith('Z_')) throw damaged(file, message);
    throw error;
  }
  if (rest !== '') throw damaged(file, 'it is cut off');
}

/** The compressed lines, decrypted if necessary. */
async function contentOf({ file, decryption }: Archive): Promise<AsyncIterable<Uint8Array>> {
  if (!(await isEncrypted(file))) return createReadStream(file);
  if (decryption === null) throw new CommandProblem(`${file} is encrypted. Use --passphrase-file or --identity-file.`);
  return decrypted(file, decryption);
}

function parsed(file: string, text: string): BackupLine | Row {
  try {
    return readBackupLine(text);
  } catch {
    throw damaged(file, 'a line is not part of a backup');
  }
}

const damaged = (file: string, why: string): CommandProblem =>
  new CommandProblem(`${file} is not a complete backup: ${why}. Nothing was restored.`);
