import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, spawnIdentity } from './account.ts';
import { addressOf, CHILD_ENVIRONMENT } from './cluster.ts';
import { endFormerPostgres, findPostmaster } from './postmaster.ts';
import { EmbeddedPostgresProblem } from './problem.ts';
import { SOCKET_PORT } from './socket-directory.ts';

export type Launch = {
  native: string;
  account: Account;
  clusterDirectory: string;
  socketDirectory: string;
  logFile: string;
  settings: Readonly<Record<string, string>>;
};

const READY_WITHIN_MS = 120_000;
const ATTEMPTS = 3;
const ATTEMPTS_WHILE_HELD = 60;
const BETWEEN_ATTEMPTS_MS = 100;
const ORPHAN_PATIENCE_MS = 10_000;
const LONGEST_LOG_BYTES = 10_000_000;

/**
 * Starts PostgreSQL on the cluster and returns its process once it is ready. If a PostgreSQL is already running there,
 * it is stopped first: the caller has locked the data directory, so the server that started that PostgreSQL must have
 * died. Rejects with `start_failed` if it doesn't become ready, and with an `AbortError` if `abandoned` is aborted.
 */
export async function launch(options: Launch, abandoned: AbortSignal): Promise<ChildProcess> {
  const until = Date.now() + READY_WITHIN_MS;
  for (let attempt = 1; ; attempt += 1) {
    await endFormerPostgres(options.clusterDirectory, options.socketDirectory, ORPHAN_PATIENCE_MS);
    const logged = sizeOf(options.logFile);
    const child = spawnPostgres(options);
    if (await becomesReady(child, options.clusterDirectory, until, abandoned)) return child;
    child.kill('SIGQUIT');
    abandoned.throwIfAborted();
    // On systems where processes can't be looked up by directory, children of a killed PostgreSQL may still exist.
    const isHeld = /pre-existing shared memory/.test(logSince(options.logFile, logged));
    const allowed = isHeld ? ATTEMPTS_WHILE_HELD : ATTEMPTS;
    if (attempt >= allowed || Date.now() > until) throw startFailed(options.logFile);
    await sleep(BETWEEN_ATTEMPTS_MS);
  }
}

function startFailed(logFile: string): EmbeddedPostgresProblem {
  const logEnd = fs.readFileSync(logFile, 'utf8').slice(-1500).trim();
  return new EmbeddedPostgresProblem(
    'start_failed',
    `PostgreSQL doesn't start. The end of its log (${logFile}):\n${logEnd}`,
  );
}

async function becomesReady(
  child: ChildProcess,
  clusterDirectory: string,
  until: number,
  abandoned: AbortSignal,
): Promise<boolean> {
  while (Date.now() < until && !abandoned.aborted) {
    if (hasEnded(child)) return false;
    const found = findPostmaster(clusterDirectory);
    if (found?.isReady && found.pid === child.pid) return true;
    await sleep(10);
  }
  return false;
}

export function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

// Descriptor 3 is a pipe that this process keeps open. When this process ends, for whatever reason, `read` reaches end
// of file and fails, and the watcher asks PostgreSQL for a fast shutdown. A line in the pipe ends the watcher. The
// watcher is forked twice, so that it isn't a child of PostgreSQL, which treats the death of an unknown child as a
// crash.
const WATCHED = '( ( read -r _ <&3 || kill -INT $$ ) >/dev/null 2>&1 & ); exec 3<&-; exec "$0" "$@"';

function spawnPostgres(options: Launch): ChildProcess {
  const { argument, cwd } = addressOf(options.clusterDirectory, options.account);
  // Dynamic shared memory is in files, because containers often have almost no /dev/shm.
  const settings = { cluster_name: 'stet', dynamic_shared_memory_type: 'mmap', ...options.settings };
  const program = path.join(options.native, 'bin', 'postgres');
  const where = ['-D', argument, '-k', options.socketDirectory, '-h', '', '-p', String(SOCKET_PORT)];
  const set = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openLog(options.logFile);
  const child = spawn('/bin/sh', ['-c', WATCHED, program, ...where, ...set], {
    ...spawnIdentity(options.account),
    cwd,
    env: CHILD_ENVIRONMENT,
    detached: true, // Ctrl-C goes to a whole process group, and must not end the database before the server.
    stdio: ['ignore', log, log, 'pipe'], // A pipe would fill up while this process is busy.
  });
  fs.closeSync(log);
  dismissWatcherAtExit(child);
  child.unref();
  return child;
}

function dismissWatcherAtExit(child: ChildProcess): void {
  const pipe = child.stdio[3];
  if (!(pipe instanceof Socket)) return;
  pipe.on('error', () => {}); // The watcher may exit first.
  child.on('error', () => pipe.destroy());
  // PostgreSQL's process id may soon be reused, and the watcher must not signal the new process.
  child.on('exit', () => pipe.end('\n'));
  pipe.unref();
}

/** The length of a file; 0 if it doesn't exist. */
export function sizeOf(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Returns the text that was added to a log after its length was `position`, even if a new log was started in the
 * meantime.
 */
export function logSince(file: string, position: number): string {
  const log = fs.readFileSync(file);
  return log.subarray(position <= log.length ? position : 0).toString('utf8');
}

function openLog(file: string): number {
  if (sizeOf(file) > LONGEST_LOG_BYTES) fs.renameSync(file, `${file}.1`);
  return fs.openSync(file, 'a', 0o600);
}
