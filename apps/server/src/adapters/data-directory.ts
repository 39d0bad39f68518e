import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
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

/** Returns the reason why a running server can't use its data directory, as a sentence. Null if it can. */
export async function dataDirectoryProblem({ dataDir, databaseUrl }: Directory): Promise<string | null> {
  const looking = look(dataDir, databaseUrl === undefined);
  const late = sleep(PATIENCE_MS, `${dataDir} is not responding. Check its disk or network file system.`, {
    ref: false,
  });
  return Promise.race([looking, late]);
}

async function look(dataDir: string, hasEmbeddedDatabase: boolean): Promise<string | null> {
  const needed: [string, number][] = [
    [dataDir, R_OK | W_OK | X_OK],
    [join(dataDir, 'keys', 'audit-signing.key'), R_OK],
    // PostgreSQL may run as a different account, so the check covers only the existence of the folder.
    ...(hasEmbeddedDatabase ? [[join(dataDir, 'postgres'), 0] as [string, number]] : []),
  ];
  for (const [path, mode] of needed) {
    const problem = await access(path, mode).catch((error: NodeJS.ErrnoException) => error.code ?? error.message);
    if (problem === 'ENOENT') return `${path} is missing. Mount its disk, or restore it from a backup.`;
    if (problem) return `The server can't ${path === dataDir ? 'write to' : 'read'} ${path} (${problem}).`;
  }
  return null;
}

/** Checks the data directory every second, and logs when it becomes unavailable and when it is back. */
export function watchDataDirectory(
  directory: Directory,
  log: Log,
): { problem: () => string | null; stop: () => Promise<void> } {
  let problem: string | null = null;
  const check = async (): Promise<void> => {
    const found = await dataDirectoryProblem(directory);
    if (found !== null && problem === null) log.error({ problem: found }, 'the data directory is unavailable');
    if (found === null && problem !== null) log.warn('the data directory is available again');
    problem = found;
  };
  return { problem: () => problem, stop: regularly(EVERY_MS, check, log).stop };
}
