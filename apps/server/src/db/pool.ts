import pg from 'pg';

/** Where a PostgreSQL server is; either a URL or a socket. */
export type Connection = { connectionString: string } | { host: string; port: number; user: string; database: string };

// Sequence numbers and milliseconds stay below 2^53.
const INT8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : (pg.types.getTypeParser(oid, format) as unknown)) as pg.CustomTypesConfig['getTypeParser'],
};

type PoolOptions = { size: number; onError: (error: Error) => void };

/**
 * Connections that work as `stet_app` for all their life: no rights beyond the granted ones, one tenant a transaction.
 * Pipelined: statements sent together travel together.
 */
export function openPool(connection: Connection, { size, onError }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max: size,
    types,
    pipeline: true,
    application_name: 'stet',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    options: '-c role=stet_app -c timezone=UTC -c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000',
  });
  // Without listeners a lost connection would end the process.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

/** A connection as the owner of the schema: migrations, the job queue, the outbox's dispatcher. */
export const ownerClient = (connection: Connection): pg.Client =>
  new pg.Client({ ...connection, types, application_name: 'stet-owner', connectionTimeoutMillis: 10_000 });
