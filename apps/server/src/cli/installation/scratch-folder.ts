import { chmodSync, lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { identify } from '../../db/embedded/data-directory-lock.ts';
import { killChildren, onInterruption } from './interruption.ts';

const PREFIX = 'stet-verify-';
/** The file in a scratch folder that contains the id of the process that uses it. */
const USER = 'used-by.json';
const user = z.object({ pid: z.number(), started: z.string() });

/** Retries, because a PostgreSQL may add files while the folder is being removed. */
const remove = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });

/**
 * Calls `work` with a new folder in TMPDIR and removes the folder afterwards, also if SIGINT, SIGTERM or SIGHUP ends
 * this process. The folder contains the data and keys of an installation, so the folders of killed processes are
 * removed first.
 */
export async function withScratchFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  for (const folder of abandonedFolders(tmpdir())) remove(folder);
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  const stop = onInterruption(() => {
    killChildren();
    remove(folder);
  });
  try {
    writeFileSync(join(folder, USER), JSON.stringify(identify(process.pid) ?? null), { mode: 0o600 });
    // If this process is root, the embedded PostgreSQL runs under another account, which must be able to enter the
    // folder.
    chmodSync(folder, 0o711);
    return await work(folder);
  } finally {
    remove(folder);
    stop();
  }
}

/**
 * The scratch folders of this account whose processes no longer exist. Everyone can create folders in TMPDIR, so those
 * of other accounts are ignored.
 */
function abandonedFolders(temporary: string): string[] {
  return readdirSync(temporary)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(temporary, name))
    .filter((folder) => isOwnFolder(folder) && !isInUse(folder));
}

function isOwnFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}

/** True if the process exists, or if this isn't known. */
function isInUse(folder: string): boolean {
  try {
    const { pid, started } = user.parse(JSON.parse(readFileSync(join(folder, USER), 'utf8')));
    return identify(pid)?.started === started;
  } catch {
    return true;
  }
}
