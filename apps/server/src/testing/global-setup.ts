import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../db/embedded/start-embedded-postgres.ts';
import { type Connection, ensureDatabase } from '../db/embedded/ensure-database.ts';
import { migrate } from '../db/migrate.ts';
import { MIGRATIONS_DIRECTORY } from '../db/migration-files.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The migrated database that `createTestDatabase` clones. No connection to it may stay open. */
    templateDatabase: Connection;
    /** The server's version as PostgreSQL counts it, for example 150004. */
    postgresVersion: number;
  }
}

const quiet = {
  info() {},
  warn() {},
  error: (data: object, message: string) => void process.stderr.write(`${message} ${JSON.stringify(data)}\n`),
};

/**
 * Starts one PostgreSQL for the whole test run, without fsync, because its data is temporary. With `TEST_DATABASE_URL`,
 * the tests use that server instead, with any version that Stet supports. Its superuser must not need a password.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { connection, stop } = await prepareServer(process.env['TEST_DATABASE_URL']);
  try {
    await migrate({ connect: () => new pg.Client(connection), directory: MIGRATIONS_DIRECTORY, log: quiet });
    await createJobQueue(connection);
    project.provide('templateDatabase', connection);
    project.provide('postgresVersion', await versionOf(connection));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

/** Creates the tables of the job queue, because otherwise every test server would create them. */
async function createJobQueue(connection: Connection): Promise<void> {
  const pool = new pg.Pool({ ...connection, max: 1 });
  // Without these listeners, the library prints a warning.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  await runMigrations({ pgPool: pool });
  await pool.end();
}

type TestPostgres = { connection: Connection; stop: () => Promise<void> };

async function prepareServer(url: string | undefined): Promise<TestPostgres> {
  if (url === undefined) return startServer();
  const { hostname, port, username } = new URL(url);
  const database = `test_template_${process.pid}`;
  const connection = { host: hostname, port: Number(port || 5432), user: username || 'postgres', database };
  await ensureDatabase(connection);
  return { connection, stop: async () => void (await asAdministrator(connection, `drop database ${database}`)) };
}

async function startServer(): Promise<TestPostgres> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'stet-test-'));
  fs.chmodSync(dataDir, 0o711);
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    // Several test files run in parallel, each with one or more servers that have their own pools.
    max_connections: '500',
    // Statistics of databases that last a minute aren't worth their cost.
    autovacuum_naptime: '5min',
    // Most connections of a test execute a statement only a few times. By default, PostgreSQL would plan it again for
    // each of the first five executions.
    plan_cache_mode: 'force_generic_plan',
  };
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet, settings });
  return {
    connection: postgres.connection,
    stop: async () => {
      await postgres.stop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function versionOf(connection: Connection): Promise<number> {
  const [row] = await asAdministrator<{ version: number }>(
    connection,
    `select current_setting('server_version_num')::int as version`,
  );
  return row?.version ?? 0;
}

/** Executes SQL as the server's superuser, in the database `postgres`. */
export async function asAdministrator<Row extends object>(server: Connection, sql: string): Promise<Row[]> {
  const client = new pg.Client({ ...server, database: 'postgres' });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
