import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Account, changeOwner, isReachable } from './account.ts';
import { EmbeddedPostgresProblem } from './problem.ts';

/** The port only appears in the name of the socket; nothing listens on the network. */
export const SOCKET_PORT = 5432;

// The complete path of a socket is limited to 104 bytes on macOS and 108 on Linux, including the final zero byte.
const LONGEST_PATH = 103;

/**
 * Creates a private directory for the cluster's socket, outside the data directory, whose path may be too long. An
 * account that can't enter the directory can't connect, so the database needs no password. Refuses with `unreachable`.
 */
export function makeSocketDirectory(clusterDirectory: string, account: Account): string {
  const name = `stet-pg-${createHash('sha256').update(fs.realpathSync(clusterDirectory)).digest('hex').slice(0, 12)}`;
  const parents = [os.tmpdir(), '/tmp', '/var/tmp'].filter((parent) => fs.existsSync(parent));
  const parent = parents
    .map((candidate) => fs.realpathSync(candidate))
    .find((candidate) => isReachable(candidate, account) && fits(path.join(candidate, name)));
  if (parent === undefined) {
    throw new EmbeddedPostgresProblem(
      'unreachable',
      `None of ${parents.join(', ')} can contain the database's socket: each is private or its path is too long. Set TMPDIR to a short path.`,
    );
  }
  const directory = path.join(parent, name);
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  refuseForeign(directory, account);
  fs.chmodSync(directory, 0o700);
  changeOwner(account, directory);
  return directory;
}

function fits(directory: string): boolean {
  return Buffer.byteLength(path.join(directory, `.s.PGSQL.${SOCKET_PORT}.lock`)) <= LONGEST_PATH;
}

/**
 * Refuses a directory of another user. Everyone can write to the parent directory, so another user may have created a
 * directory or link with this name.
 */
function refuseForeign(directory: string, account: Account): void {
  const found = fs.lstatSync(directory);
  const owners = [process.getuid?.(), account.kind === 'other' ? account.uid : undefined];
  if (found.isDirectory() && owners.includes(found.uid)) return;
  throw new EmbeddedPostgresProblem('unreachable', `${directory} belongs to someone else. Delete it and start again.`);
}
