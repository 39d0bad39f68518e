import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Account, changeOwner, isReachable, spawnIdentity } from './account.ts';
import { EmbeddedPostgresProblem } from './problem.ts';

/** Major version of the binaries. They can't read a cluster created by a different major version. */
const MAJOR_VERSION = '18';

/** PostgreSQL gets only PATH from this process's environment: no PG* settings, no locale and no secrets. */
export const CHILD_ENVIRONMENT = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** A directory as an argument for a child process, and the working directory with which this argument is valid. */
export type Address = { argument: string; cwd: string };

/**
 * Determines how PostgreSQL, running as `account`, accesses `directory`. Paths below a private directory such as
 * `/root` don't work, but on Linux, a process that is started in the directory can use its working directory. Refuses
 * with `unreachable` on other systems.
 */
export function addressOf(directory: string, account: Account): Address {
  // PostgreSQL is started in `/`, because the working directory of this process may be private.
  if (isReachable(path.dirname(directory), account)) return { argument: directory, cwd: '/' };
  if (process.platform === 'linux') return { argument: '/proc/self/cwd', cwd: directory };
  throw new EmbeddedPostgresProblem(
    'unreachable',
    `PostgreSQL doesn't run as root and can't reach ${directory}, because a directory above it is private. Choose a different DATA_DIR, or run Stet as an ordinary user.`,
  );
}

/** Creates the cluster in `directory` if it is missing. Refuses a cluster of a different major version. */
export async function ensureCluster(directory: string, native: string, account: Account, sync: boolean): Promise<void> {
  const versionFile = path.join(directory, 'PG_VERSION');
  if (fs.existsSync(versionFile)) {
    const version = fs.readFileSync(versionFile, 'utf8').trim();
    if (version === MAJOR_VERSION) return;
    throw new EmbeddedPostgresProblem(
      'other_version',
      `${directory} was created by PostgreSQL ${version}, but this Stet includes PostgreSQL ${MAJOR_VERSION}. Start the version of Stet that created it, export your data there, and import it here.`,
    );
  }
  removeUnfinished(directory);
  // The cluster is created under a temporary name and renamed when complete, so that `directory` never contains a
  // partial cluster.
  const unfinished = `${directory}.unfinished-${process.pid}`;
  fs.mkdirSync(unfinished, { mode: 0o700 });
  changeOwner(account, unfinished);
  await initialize(unfinished, native, account, sync);
  fs.renameSync(unfinished, directory);
}

function removeUnfinished(directory: string): void {
  const parent = path.dirname(directory);
  for (const name of fs.readdirSync(parent)) {
    if (!name.startsWith(`${path.basename(directory)}.unfinished-`)) continue;
    fs.rmSync(path.join(parent, name), { recursive: true, force: true });
  }
}

async function initialize(directory: string, native: string, account: Account, sync: boolean): Promise<void> {
  const { argument, cwd } = addressOf(directory, account);
  const options = ['-D', argument, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'];
  // The builtin provider sorts and folds text in the same way on every system, so indexes remain valid if the cluster
  // is moved to another system.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  try {
    await promisify(execFile)(
      path.join(native, 'bin', 'initdb'),
      [...options, ...locale, ...(sync ? [] : ['--no-sync'])],
      {
        ...spawnIdentity(account),
        cwd,
        env: CHILD_ENVIRONMENT,
      },
    );
  } catch (cause) {
    fs.rmSync(directory, { recursive: true, force: true });
    const reason =
      cause instanceof Error && 'stderr' in cause ? String(cause.stderr).slice(-2000).trim() : String(cause);
    throw new EmbeddedPostgresProblem(
      'start_failed',
      `PostgreSQL could not create its files in ${directory}: ${reason}`,
      {
        cause,
      },
    );
  }
}
