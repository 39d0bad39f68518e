import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { familyOf, signalAll } from './processes.ts';

const READY_WITHIN_MS = 60_000;

/**
 * Returns the directory of this machine's PostgreSQL programs: POSTGRES_BIN, otherwise the newest installation that has
 * the required program, or null.
 */
export function findPrograms(needed: 'initdb' | 'pgbench' = 'initdb'): string | null {
  const asked = process.env['POSTGRES_BIN'];
  if (asked) return asked;
  const installed = '/usr/lib/postgresql';
  const versions = existsSync(installed) ? readdirSync(installed).toSorted((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(installed, version, 'bin'));
  return found.find((folder) => existsSync(join(folder, needed))) ?? null;
}

/**
 * PostgreSQL in a separate process, as operators run it. It starts and stops on command, and not together with a
 * server.
 */
export class ExternalPostgres {
  readonly host = '127.0.0.1';
  readonly logFile: string;
  #child: ChildProcess | null = null;
  readonly #data: string;
  readonly #account = unprivileged();

  private constructor(
    readonly programs: string,
    readonly folder: string,
    readonly port: number,
  ) {
    this.#data = join(folder, 'external');
    this.logFile = join(folder, 'external.log');
  }

  static async create(programs: string, folder: string): Promise<ExternalPostgres> {
    const postgres = new ExternalPostgres(programs, folder, await freePort());
    postgres.#initialize();
    await postgres.start();
    return postgres;
  }

  /** Creates a PostgreSQL with an empty database `stet`, in a directory that `remove()` deletes. */
  static async createTemporary(programs: string): Promise<ExternalPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'stet-external-'));
    // PostgreSQL runs as a different user, who needs access.
    chmodSync(folder, 0o711);
    const postgres = await ExternalPostgres.create(programs, folder);
    await postgres.createDatabase('stet');
    return postgres;
  }

  #initialize(): void {
    mkdirSync(this.#data, { recursive: true, mode: 0o700 });
    if (this.#account) chownSync(this.#data, this.#account.uid, this.#account.gid);
    const options = ['-D', this.#data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'];
    execFileSync(join(this.programs, 'initdb'), options, { ...this.#account, cwd: '/', stdio: 'pipe' });
  }

  /** Starts PostgreSQL and waits until it accepts connections. */
  async start(): Promise<void> {
    const until = Date.now() + READY_WITHIN_MS;
    while (Date.now() < until) {
      const log = openSync(this.logFile, 'a');
      const options = ['-D', this.#data, '-p', String(this.port), '-k', this.#data, '-h', this.host];
      const child = spawn(join(this.programs, 'postgres'), [...options, '-c', 'max_connections=200'], {
        ...this.#account,
        cwd: '/',
        env: { PATH: process.env['PATH'], LC_ALL: 'C' },
        stdio: ['ignore', log, log],
      });
      closeSync(log);
      this.#child = child;
      while (child.exitCode === null && child.signalCode === null && Date.now() < until) {
        if (await this.#answers()) return;
        await sleep(20);
      }
      // Processes of the killed PostgreSQL may still use its shared memory.
      await sleep(100);
    }
    throw new Error('PostgreSQL did not start');
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  url(database: string, port = this.port): string {
    return `postgres://postgres@${this.host}:${port}/${database}`;
  }

  async createDatabase(name: string): Promise<void> {
    await this.query('postgres', `create database ${name} template template0`);
  }

  async query<Row extends object>(database: string, text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url(database), connectionTimeoutMillis: 5000 });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async #answers(): Promise<boolean> {
    return this.query('postgres', 'select 1').then(
      () => true,
      () => false,
    );
  }

  /** Returns PostgreSQL's processes, starting with the parent. */
  family(): number[] {
    return this.#child?.pid === undefined ? [] : familyOf(this.#child.pid);
  }

  /** Kills all processes of PostgreSQL at once, without warning. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL', this.family());
  }

  async stop(): Promise<void> {
    await this.#end('SIGINT', this.#child?.pid === undefined ? [] : [this.#child.pid]);
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals, pids: readonly number[]): Promise<void> {
    const child = this.#child;
    if (!child || !this.isRunning) return;
    const ended = once(child, 'exit');
    signalAll(pids, signal);
    await ended;
  }
}

/**
 * Returns the account to run PostgreSQL as, because it refuses to run as root. Null if this process isn't root: then
 * its own account is used.
 */
function unprivileged(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const entries = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = entries.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL does not run as root, and there is no account "postgres" or "nobody"');
}
