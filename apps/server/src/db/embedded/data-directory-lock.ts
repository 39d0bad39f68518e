import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Identifies a process even if its process id is reused, because `started` then differs. */
export type ProcessIdentity = { pid: number; started: string };

export type Claim = { ok: true; release: () => void } | { ok: false; holder: ProcessIdentity };

type Entry = { state: 'held'; holder: ProcessIdentity } | { state: 'released' };

/**
 * Claims `directory` for one process, and creates it if it is missing. The file of a claim remains when its process
 * ends, but the claim is then invalid, so nobody has to remove it after a SIGKILL or a power cut. Each claim is a file
 * that is named with an increasing number and linked into place. Only one process can create each link. Only the claim
 * with the highest number can be valid. The newest file is never removed, so that a slow claimant can't mistake a used
 * number for a free one.
 */
export function claim(
  directory: string,
  self: ProcessIdentity,
  isRunning: (holder: ProcessIdentity) => boolean = isSameProcess,
): Claim {
  fs.mkdirSync(directory, { recursive: true });
  for (;;) {
    const newest = newestNumber(directory);
    const entry = newest === 0 ? { state: 'released' as const } : readEntry(path.join(directory, String(newest)));
    if (entry === undefined) continue;
    if (entry.state === 'held' && isRunning(entry.holder)) return { ok: false, holder: entry.holder };
    const file = path.join(directory, String(newest + 1));
    if (!create(file, { state: 'held', holder: self })) continue;
    removeOlder(directory, newest + 1);
    return { ok: true, release: () => replace(file, { state: 'released' }) };
  }
}

function newestNumber(directory: string): number {
  return Math.max(0, ...fs.readdirSync(directory).map(Number).filter(Number.isSafeInteger));
}

/** Returns `undefined` if a newer claimant has removed the file in the meantime. */
function readEntry(file: string): Entry | undefined {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as Entry;
  } catch {
    // A power cut can leave an empty file. The process that wrote it is no longer running.
    return { state: 'released' };
  }
}

/** Creates a file completely or not at all. */
function create(file: string, entry: Entry): boolean {
  const draft = writeDraft(file, entry);
  try {
    fs.linkSync(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

function replace(file: string, entry: Entry): void {
  fs.renameSync(writeDraft(file, entry), file);
}

function writeDraft(file: string, entry: Entry): string {
  const draft = `${file}.draft-${process.pid}`;
  fs.writeFileSync(draft, JSON.stringify(entry));
  return draft;
}

function removeOlder(directory: string, newest: number): void {
  for (const name of fs.readdirSync(directory)) {
    if (Number(name) < newest) fs.rmSync(path.join(directory, name), { force: true });
  }
}

/** The identity of a running process, or `undefined` if there is none. On Linux, a zombie doesn't count. */
export function identify(pid: number): ProcessIdentity | undefined {
  try {
    if (process.platform === 'linux') {
      // The command in field 2 can contain spaces and parentheses. After its last parenthesis, the format is fixed.
      const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
      const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      return { pid, started: `${boot} ${fields[19] ?? ''}` };
    }
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return started === '' ? undefined : { pid, started };
  } catch {
    return undefined;
  }
}

function isSameProcess(holder: ProcessIdentity): boolean {
  return identify(holder.pid)?.started === holder.started;
}
