import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Connection } from './ensure-database.ts';
import { findPostmaster } from './postmaster.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres.ts';

export const log = { info() {}, warn() {}, error() {} };
const unsynced = { fsync: 'off' };
export const repository = fileURLToPath(new URL('../../../../../', import.meta.url));
const fixture = fileURLToPath(new URL('./server-process.fixture.ts', import.meta.url));

const prepared = fs.mkdtempSync(path.join(os.tmpdir(), 'stet-pg-prepared-'));

/** Creates the cluster that `preparedDirectory` copies. */
export async function prepare(): Promise<void> {
  const { stop } = await startEmbeddedPostgres({ dataDir: prepared, log, settings: unsynced });
  await stop();
}
export const forgetPrepared = (): void => fs.rmSync(prepared, { recursive: true, force: true });

const cleanups: (() => void | Promise<void>)[] = [];
/** Stops and removes everything that a test started, newest first. */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

export function temporaryDirectory(parent = os.tmpdir(), mode = 0o755): string {
  const directory = fs.mkdtempSync(path.join(parent, 'stet-pg-test-'));
  fs.chmodSync(directory, mode);
  // A PostgreSQL whose server was killed may still be shutting down in this directory.
  cleanups.push(() => fs.rmSync(directory, { recursive: true, force: true, maxRetries: 50, retryDelay: 50 }));
  return directory;
}

/**
 * Returns a data directory with a copy of a cluster, because creating a cluster takes a second. The copy has the same
 * owner.
 */
export function preparedDirectory(): string {
  const directory = temporaryDirectory();
  execFileSync('cp', ['-a', path.join(prepared, 'postgres'), directory]);
  return directory;
}

export async function start(dataDir: string, settings: Record<string, string> = unsynced): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings });
  cleanups.push(postgres.stop);
  return postgres;
}

type ServerProcess = {
  child: ChildProcess;
  outcome: Promise<{ connection: Connection } | { code: number; output: string }>;
};

export function startProcess(dataDir: string, identity: { uid?: number; gid?: number } = {}): ServerProcess {
  const tsx = path.join(repository, 'node_modules/tsx/dist/loader.mjs');
  const child = spawn(process.execPath, ['--import', tsx, fixture, dataDir], {
    ...identity,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  cleanups.push(async () => {
    child.kill('SIGKILL');
    const known = await outcome;
    if ('connection' in known) fs.rmSync(known.connection.host, { recursive: true, force: true });
  });
  const outcome = new Promise<{ connection: Connection } | { code: number; output: string }>((resolve) => {
    let output = '';
    child.stderr.on('data', (text: Buffer) => (output += text.toString()));
    child.stdout.on('data', (line: Buffer) => resolve({ connection: JSON.parse(line.toString()) as Connection }));
    child.on('close', (code) => resolve({ code: code ?? -1, output }));
  });
  return { child, outcome };
}

export async function query(connection: Connection, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

export const answers = (connection: Connection): Promise<boolean> =>
  query(connection, 'select 1').then(
    () => true,
    () => false,
  );

export function pidOf(dataDir: string): number {
  const found = findPostmaster(path.join(dataDir, 'postgres'));
  if (!found) throw new Error(`no PostgreSQL is running in ${dataDir}`);
  return found.pid;
}
