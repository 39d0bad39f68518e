import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from './database.ts';

async function query(config: pg.ClientConfig, sql: string): Promise<unknown[]> {
  const client = new pg.Client(config);
  client.on('error', () => {}); // Dropping the database cuts the connection.
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

describe('a test database', () => {
  it('is migrated and isolated from other test databases', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await query(one.connection, 'create table only_here (id int)');
    expect(await query(one.connection, 'select count(*) > 0 from stet_migrations')).toEqual([true]);
    expect(await query(other.connection, "select to_regclass('only_here')")).toEqual([null]);
    await Promise.all([one.drop(), other.drop()]);
  });

  it('can be reached at its URL, and is gone after drop even if someone is connected', async () => {
    const { url, drop, connection } = await createTestDatabase();
    expect(await query({ connectionString: url }, 'select current_database()')).toEqual([connection.database]);
    const idle = new pg.Client(connection);
    idle.on('error', () => {});
    await idle.connect();
    await drop();
    await expect(query(connection, 'select 1')).rejects.toThrow('does not exist');
    await idle.end();
  });
});
