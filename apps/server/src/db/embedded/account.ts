import fs from 'node:fs';
import path from 'node:path';
import { EmbeddedPostgresProblem } from './problem.ts';

/**
 * The account that PostgreSQL runs as: that of this process or, because PostgreSQL refuses to run as root, an
 * unprivileged one.
 */
export type Account = { kind: 'self' } | { kind: 'other'; uid: number; gid: number };

const UNPRIVILEGED_NAMES = ['postgres', 'nobody'];

/**
 * Chooses the account for the cluster in `clusterDirectory`, which may not exist yet. An existing cluster keeps its
 * owner, unless that is root. Refuses with `no_account` or `not_owned`.
 */
export function chooseAccount(clusterDirectory: string, uid = process.getuid?.()): Account {
  const existing = fs.statSync(clusterDirectory, { throwIfNoEntry: false });
  if (uid !== 0) {
    if (existing && uid !== undefined && existing.uid !== uid) {
      throw new EmbeddedPostgresProblem(
        'not_owned',
        `${clusterDirectory} belongs to user id ${existing.uid}, but Stet runs as user id ${uid}. Run it as the same user as before, or choose a different DATA_DIR.`,
      );
    }
    return { kind: 'self' };
  }
  if (existing && existing.uid !== 0) return { kind: 'other', uid: existing.uid, gid: existing.gid };
  return unprivilegedAccount(fs.readFileSync('/etc/passwd', 'utf8'));
}

/** Finds an unprivileged account in the text of `/etc/passwd`. Refuses with `no_account`. */
export function unprivilegedAccount(passwd: string): Account {
  const entries = passwd.split('\n').map((line) => line.split(':'));
  for (const name of UNPRIVILEGED_NAMES) {
    const entry = entries.find((fields) => fields[0] === name);
    const uid = Number(entry?.[2]);
    const gid = Number(entry?.[3]);
    if (entry && uid > 0 && gid > 0) return { kind: 'other', uid, gid };
  }
  throw new EmbeddedPostgresProblem(
    'no_account',
    'PostgreSQL doesn\'t run as root, and this system has neither a "postgres" nor a "nobody" account. Run Stet as an ordinary user, or set DATABASE_URL.',
  );
}

/** The options of `spawn` that make a child process run as `account`. */
export function spawnIdentity(account: Account): { uid?: number; gid?: number } {
  return account.kind === 'self' ? {} : { uid: account.uid, gid: account.gid };
}

/** Makes `account` the owner of a file or directory. Throws if the file system doesn't store owners. */
export function changeOwner(account: Account, target: string): void {
  if (account.kind === 'self') return;
  try {
    fs.chownSync(target, account.uid, account.gid);
  } catch (cause) {
    throw new EmbeddedPostgresProblem(
      'unreachable',
      `${target} can't be given to user id ${account.uid}, which PostgreSQL runs as. Choose a DATA_DIR on a file system that stores owners, or run Stet as an ordinary user.`,
      { cause },
    );
  }
}

/** True if `account` can enter every directory on the existing path `target`. On most systems, `/root` is private. */
export function isReachable(target: string, account: Account): boolean {
  if (account.kind === 'self') return true;
  for (let directory = fs.realpathSync(target); ; directory = path.dirname(directory)) {
    const { uid, gid, mode } = fs.statSync(directory);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (directory === path.dirname(directory)) return true;
  }
}
