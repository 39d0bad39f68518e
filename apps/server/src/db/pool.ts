import pg from 'pg';

/** How to connect to a database: a URL, or a socket with a user and a database. */
export type Connection = { connectionString: string } | { host: string; port: number; user: string; database: string };

// INT8 values are parsed as numbers, because sequence numbers and milliseconds stay below 2^53.
const INT8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : (pg.types.getTypeParser(oid, format) as unknown)) as pg.CustomTypesConfig['getTypeParser'],
};

/**
 * With `asOwner`, connections work as the user of the connection, which can change all organizations and the queue.
 * This is for commands, and for administrators of the installation.
 */
type PoolOptions = { size: number; onError: (error: Error) => void; asOwner?: boolean };

/**
 * Opens connections that work as `stet_app`, with only the rights granted to that role, unless `asOwner` is set.
 * Statements are pipelined: those that are sent together share one round trip.
 */
export function openPool(connection: Connection, { size, onError, asOwner = false }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max: size,
    types,
    pipeline: true,
    application_name: 'stet',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    // PostgreSQL compiles statements with a high estimated cost (JIT). Our statements process few rows, whatever the
    // estimate is, and compiling the largest one takes 0.2 to 20 seconds.
    options: `${asOwner ? '' : '-c role=stet_app '}-c timezone=UTC -c jit=off -c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000`,
  });
  // Without a listener, a lost connection would end the process.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

/**
 * A client, not connected yet, that works as the user of the connection or, with `role`, as that role, which this user
 * must be allowed to take. It is for migrations, other work at the start, and commands.
 */
export const ownerClient = (connection: Connection, role: string | null = null): pg.Client =>
  new pg.Client({
    ...connection,
    types,
    application_name: 'stet-owner',
    connectionTimeoutMillis: 10_000,
    // PostgreSQL splits the options at spaces, and reads a backslash as an escape.
    ...(role !== null && { options: `-c role=${role.replace(/[\\ ]/g, '\\$&')}` }),
  });
