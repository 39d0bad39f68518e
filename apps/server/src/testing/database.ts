import { randomUUID } from 'node:crypto';
import { type Socket, connect } from 'node:net';
import pg from 'pg';
import { inject } from 'vitest';
import type { Connection } from '../db/embedded/ensure-database.ts';
import { asAdministrator } from './global-setup.ts';

export type TestDatabase = {
  /** The connection of the schema's owner, which can be passed to `pg` unchanged. */
  connection: Connection;
  /** The same connection as a `DATABASE_URL`, for a server process. */
  url: string;
  /** Closes every connection to the database and removes it. */
  drop: () => Promise<void>;
};

/** Creates a separate database for one test file, cloned from the migrated template. The caller has to drop it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = inject('templateDatabase');
  // Copying the files takes less CPU time than copying through the log, which is the default since PostgreSQL 15.
  const strategy = inject('postgresVersion') >= 150_000 ? 'strategy file_copy' : '';
  return createDatabase(template, `template ${pg.escapeIdentifier(template.database)} ${strategy}`);
}

/** Creates a database without Stet's schema. The caller has to drop it. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase(inject('templateDatabase'), 'template template0');
}

async function createDatabase(server: Connection, origin: string): Promise<TestDatabase> {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdministrator(server, `create database ${database} ${origin}`);
  const connection = { ...server, database };
  return {
    connection,
    url: `postgres://${connection.user}@${encodeURIComponent(connection.host)}:${connection.port}/${database}`,
    drop: async () => void (await asAdministrator(server, `drop database if exists ${database} with (force)`)),
  };
}

/** Connects to a PostgreSQL server as `pg` does: a host that is an absolute path is the directory of its socket. */
export function openSocketTo({ host, port }: Pick<Connection, 'host' | 'port'>): Socket {
  return host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host).setNoDelay(true);
}
