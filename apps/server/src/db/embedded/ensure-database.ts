import pg from 'pg';

export type Connection = { host: string; port: number; user: string; database: string };

const NO_SUCH_DATABASE = '3D000';
const ALREADY_THERE = '42P04';

/** Creates the database that `connection` names if it is missing. */
export async function ensureDatabase(connection: Connection): Promise<void> {
  if (await answers(connection)) return;
  const client = new pg.Client({ ...connection, database: 'postgres' });
  await client.connect();
  try {
    await client.query(`create database ${pg.escapeIdentifier(connection.database)}`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === ALREADY_THERE)) throw error;
  } finally {
    await client.end();
  }
}

async function answers(connection: Connection): Promise<boolean> {
  const client = new pg.Client(connection);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === NO_SUCH_DATABASE) return false;
    throw error;
  }
}
