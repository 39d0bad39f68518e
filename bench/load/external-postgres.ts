import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';

const DEBIAN = '/usr/lib/postgresql';

export type ExternalPostgres = {
  url: (database: string) => string;
  pid: number;
  host: string;
  port: number;
  logFile: string;
  stop: () => Promise<void>;
};

/** Debian's newest PostgreSQL with its programs, pgbench among them; null where there is none. */
export function debianPrograms(): string | null {
  if (!existsSync(DEBIAN)) return null;
  const majors = readdirSync(DEBIAN).filter((name) => existsSync(join(DEBIAN, name, 'bin', 'pgbench')));
  const newest = majors.toSorted((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? null : join(DEBIAN, newest, 'bin');
}

/** A fresh cluster with its own settings, `fsync` on, in a folder of its own that goes when it is stopped. */
export async function startExternalPostgres(programs: string): Promise<ExternalPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'stet-external-'));
  const identity = unprivileged();
  if (identity.uid !== undefined && identity.gid !== undefined) chownSync(folder, identity.uid, identity.gid);
  const options = { ...identity, cwd: '/', stdio: 'ignore' as const };
  const data = join(folder, 'data');
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'],
    options,
  );
  const port = await freePort();
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`];
  const logFile = join(folder, 'postgres.log');
  const log = openSync(logFile, 'a');
  const child = spawn(join(programs, 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])], {
    ...options,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  while (!readyIn(data)) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`);
    await sleep(20);
  }
  const url = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`;
  execFileSync(join(programs, 'createdb'), ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', 'stet']);
  return {
    url,
    host: '127.0.0.1',
    port,
    logFile,
    pid: child.pid ?? 0,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const readyIn = (data: string): boolean => {
  const file = join(data, 'postmaster.pid');
  return existsSync(file) && readFileSync(file, 'utf8').split('\n')[7]?.trim() === 'ready';
};

/** PostgreSQL refuses to run as root. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [, , uid, gid] = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === 'nobody') ?? ['', '', '65534', '65534'];
  return { uid: Number(uid), gid: Number(gid) };
}
