import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A PostgreSQL running on a cluster, according to its `postmaster.pid`. */
type Postmaster = { pid: number; isReady: boolean };

const POLL_MS = 15;
const onLinux = process.platform === 'linux';

/** Finds the PostgreSQL that is running on the cluster in `directory`. `undefined` if there is none. */
export function findPostmaster(directory: string): Postmaster | undefined {
  let lines: string[];
  try {
    lines = fs.readFileSync(path.join(directory, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (pid > 0 && worksIn(pid, fs.realpathSync(directory))) return { pid, isReady: lines[7]?.trim() === 'ready' };
  return undefined;
}

/**
 * Removes everything on the cluster that would prevent a start. May be called only by the process that has locked the
 * data directory. If a PostgreSQL is still running there, it gets a fast shutdown, and an immediate one after
 * `patienceMs`.
 */
export async function endFormerPostgres(directory: string, socketDirectory: string, patienceMs: number): Promise<void> {
  await stopPostmaster(directory, patienceMs);
  // The children of a killed PostgreSQL exit by themselves, but they use its shared memory until then.
  for (const until = Date.now() + patienceMs; hasProcessIn(directory) && Date.now() < until;) await sleep(POLL_MS);
  if (onLinux && hasProcessIn(directory)) return;
  // The file may contain a process id that is unused, belongs to a zombie, or is now used by a different program, for
  // example after a container restart. In the latter two cases, PostgreSQL would refuse to start.
  fs.rmSync(path.join(directory, 'postmaster.pid'), { force: true });
  for (const name of fs.readdirSync(socketDirectory)) fs.rmSync(path.join(socketDirectory, name), { force: true });
}

async function stopPostmaster(directory: string, patienceMs: number): Promise<void> {
  const impatientAt = Date.now() + patienceMs;
  let signal: 'SIGINT' | 'SIGQUIT' | undefined;
  for (let found = findPostmaster(directory); found; found = findPostmaster(directory)) {
    const wanted = Date.now() < impatientAt ? 'SIGINT' : 'SIGQUIT';
    if (wanted !== signal) sendSignal(found.pid, wanted);
    signal = wanted;
    await sleep(POLL_MS);
  }
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already exited, so there is nothing to do.
  }
}

/**
 * True if `pid` is a PostgreSQL process of this cluster. On Linux, all processes of a cluster have it as their working
 * directory. On other systems, the command of the main process contains it.
 */
function worksIn(pid: number, directory: string): boolean {
  try {
    if (onLinux) return fs.readlinkSync(`/proc/${pid}/cwd`) === directory;
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(directory);
  } catch {
    return false;
  }
}

function hasProcessIn(directory: string): boolean {
  if (!onLinux) return false;
  const real = fs.realpathSync(directory);
  return fs.readdirSync('/proc').some((name) => /^\d+$/.test(name) && worksIn(Number(name), real));
}
