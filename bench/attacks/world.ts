import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../apps/server/src/db/embedded/start-embedded-postgres.ts';
import { WITH_ADMINISTRATOR } from '../../apps/server/src/testing/people/administrator.ts';
import { type TestServer, startTestServerOn } from '../../apps/server/src/testing/server.ts';

const quiet = { info() {}, warn() {}, error: (data: object, message: string) => console.error(message, data) };

/**
 * Does work with a server that has its own PostgreSQL, and then stops both. The server runs in this process, so the
 * work can change its route table.
 */
export async function withWorld<T>(work: (server: TestServer) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stet-attacks-'));
  chmodSync(dataDir, 0o711);
  // Autovacuum runs rarely. By default, it would analyze all changed tables every minute, and every prepared statement
  // would then be planned again.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum_naptime: '5min',
  };
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet, settings });
  const { connection } = postgres;
  try {
    const url = `postgres://${connection.user}@${encodeURIComponent(connection.host)}:${connection.port}/${connection.database}`;
    const server = await startTestServerOn(
      { connection, url, drop: async () => {} },
      { ...WITH_ADMINISTRATOR, WEBHOOK_ALLOW: '127.0.0.1', LOG_LEVEL: 'fatal' },
    );
    try {
      return await work(server);
    } finally {
      await server.stop();
    }
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
