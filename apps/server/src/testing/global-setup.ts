import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../db/embedded/start-embedded-postgres.ts';
import type { Connection } from '../db/embedded/ensure-database.ts';
import { migrate } from '../db/migrate.ts';
import { MIGRATIONS_DIRECTORY } from '../db/migration-files.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The migrated database that `createTestDatabase` clones. No connection to it may stay open. */
    templateDatabase: Connection;
  }
}

const quiet = {
  info() {},
  warn() {},
  error: (data: object, message: string) => void process.stderr.write(`${message} ${JSON.stringify(data)}\n`),
};

/** Starts one PostgreSQL for the whole test run, without fsync, because its data is temporary. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'stet-test-'));
  fs.chmodSync(dataDir, 0o711);
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    // Several test files run in parallel, each with up to three servers with their own pools.
    max_connections: '500',
    // Statistics of databases that last a minute aren't worth their cost.
    autovacuum_naptime: '5min',
  };
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet, settings });
  const teardown = async (): Promise<void> => {
    await postgres.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const connect = (): pg.Client => new pg.Client(postgres.connection);
    await migrate({ connect, directory: MIGRATIONS_DIRECTORY, log: quiet });
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide('templateDatabase', postgres.connection);
  return teardown;
}
