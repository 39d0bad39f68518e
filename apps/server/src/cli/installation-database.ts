import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { EmbeddedPostgresProblem } from '../db/embedded/problem.ts';
import { findRunningPostgres } from '../db/embedded/running-postgres.ts';
import { startEmbeddedPostgres } from '../db/embedded/start-embedded-postgres.ts';
import { type Connection, ownerClient } from '../db/pool.ts';
import type { Config } from '../kernel/config.ts';
import { CommandProblem } from './command.ts';

const BETWEEN_LOOKS_MS = 200;
const LOOKS = 50;
const quiet = { info() {}, warn() {}, error() {} };

/**
 * Runs `work` with a connection to the installation's database, as the owner of its schema, and with the parameters for
 * other connections. Uses the external database if there is one, or the embedded one of a running server. Otherwise
 * starts the embedded database while `work` runs. Refuses if there is no installation.
 */
export async function withInstallation<T>(
  config: Config,
  work: (client: pg.Client, connection: Connection) => Promise<T>,
): Promise<T> {
  const { connection, release } = await reach(config);
  try {
    const client = ownerClient(connection);
    client.on('error', () => {}); // If the connection is lost, the running query rejects.
    await client.connect().catch((error: Error) => {
      throw new CommandProblem(
        `The database is not responding: ${error.message || ('code' in error ? String(error.code) : error.name)}`,
      );
    });
    try {
      return await work(client, connection);
    } finally {
      await client.end();
    }
  } finally {
    await release();
  }
}

async function reach({
  databaseUrl,
  dataDir,
}: Config): Promise<{ connection: Connection; release: () => Promise<void> }> {
  const release = async (): Promise<void> => {};
  if (databaseUrl) return { connection: { connectionString: databaseUrl }, release };
  if (!existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) {
    throw new CommandProblem(
      `There is no installation in ${dataDir} yet. Start Stet there once, or set DATA_DIR or DATABASE_URL.`,
    );
  }
  for (let look = 1; ; look += 1) {
    const running = findRunningPostgres(dataDir);
    if (running) return { connection: running, release };
    try {
      const started = await startEmbeddedPostgres({ dataDir, log: quiet });
      return { connection: started.connection, release: started.stop };
    } catch (error) {
      // A server that is starting has locked the directory, and its PostgreSQL will be ready soon.
      if (!(error instanceof EmbeddedPostgresProblem && error.reason === 'in_use') || look === LOOKS) throw error;
      await sleep(BETWEEN_LOOKS_MS);
    }
  }
}
