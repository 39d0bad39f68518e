import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../kernel/config.ts';
import type { Log } from '../kernel/log.ts';
import { regularly } from '../kernel/regularly.ts';

const EVERY_MS = 1000;
/** The time limit for a check, because a network file system may hang instead of failing. */
const PATIENCE_MS = 5000;
const { R_OK, W_OK, X_OK } = constants;

type Directory = Pick<Config, 'dataDir' | 'databaseUrl'>;

/**
 * Returns the reason why a server can't use its data directory, as a sentence. Null if it can. With `isEmpty`, the first
 * start has yet to fill it.
 */
export async function dataDirectoryProblem(
  { dataDir, databaseUrl }: Directory,
  { isEmpty = false } = {},
): Promise<string | null> {
  const looking = look(dataDir, { isEmpty, hasEmbeddedDatabase: databaseUrl === undefined });
  const late = sleep(PATIENCE_MS, `${dataDir} is not responding. Check its disk or network file system.`, {
    ref: false,
  });
  return Promise.race([looking, late]);
}

async function look(
  dataDir: string,
  { isEmpty, hasEmbeddedDatabase }: { isEmpty: boolean; hasEmbeddedDatabase: boolean },
): Promise<string | null> {
  const filled: [string, number][] = [
    [join(dataDir, 'keys', 'audit-signing.key'), R_OK],
    // PostgreSQL may run as a different account, so the check covers only the existence of the folder.
    ...(hasEmbeddedDatabase ? [[join(dataDir, 'postgres'), 0] as [string, number]] : []),
  ];
  const needed: [string, number][] = [[dataDir, R_OK | W_OK | X_OK], ...(isEmpty ? [] : filled)];
  for (const [path, mode] of needed) {
    const problem = await access(path, mode).catch((error: NodeJS.ErrnoException) => error.code ?? error.message);
    if (problem === 'ENOENT') return `${path} is missing. Mount its disk, or restore it from a backup.`;
    if (problem) return `The server can't ${path === dataDir ? 'write to' : 'read'} ${path} (${problem}).`;
  }
  return null;
}

/** The embedded PostgreSQL needs this much space to write its log and to start: twice the size of a WAL file. */
const FULL_BYTES = 32 * 1024 * 1024;

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

export type DataDirectoryWatch = {
  /** Returns the reason why the server couldn't use the directory at the last check. Null if it could. */
  problem: () => string | null;
  /** Returns true if the disk had too little space for the embedded database at the last check. */
  isDiskFull: () => boolean;
  stop: () => Promise<void>;
};

/**
 * Checks the data directory every second and, if it contains the database, also its free space. Logs when the directory
 * or the space becomes unavailable, and when it is available again.
 */
export function watchDataDirectory(
  directory: Directory,
  log: Log,
  { free = freeBytes, everyMs = EVERY_MS } = {},
): DataDirectoryWatch {
  let problem: string | null = null;
  let isFull = false;
  const check = async (): Promise<void> => {
    const found = await dataDirectoryProblem(directory);
    if (found !== null && problem === null) log.error({ problem: found }, 'the data directory is unavailable');
    if (found === null && problem !== null) log.warn('the data directory is available again');
    problem = found;
    if (found !== null || directory.databaseUrl !== undefined) return;
    const bytes = await free(directory.dataDir);
    const isNowFull = bytes < FULL_BYTES;
    if (isNowFull && !isFull) log.error({ free: bytes }, 'the disk is full; changes are refused until there is space');
    if (!isNowFull && isFull) log.warn({ free: bytes }, 'the disk has space again');
    isFull = isNowFull;
  };
  return { problem: () => problem, isDiskFull: () => isFull, stop: regularly(everyMs, check, log).stop };
}
