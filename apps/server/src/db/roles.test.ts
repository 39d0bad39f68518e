import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createEmptyDatabase, createTestDatabase } from '../testing/database.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS_DIRECTORY } from './migration-files.ts';
import { ownerClient } from './pool.ts';
import { adminMigrations, ensureServerRole, isSuperuser } from './roles.ts';

const log = { info() {} };

async function as<T>(client: pg.Client, work: (client: pg.Client) => Promise<T>): Promise<T> {
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

describe('the database role for requests', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it("loses superuser rights that someone gave it, and can't get them back", async () => {
    await as(new pg.Client(database.connection), (owner) =>
      owner.query(`do $$ begin create role stet_server; exception when duplicate_object then null; end $$;
                   alter role stet_server superuser login`),
    );
    expect(await isSuperuser(database.connection)).toBe(true);
    const connection = await ensureServerRole(database.connection);
    expect(await isSuperuser(connection)).toBe(false);
    await as(new pg.Client({ ...connection, options: '-c role=stet_app' }), async (server) => {
      await server.query('select count(*) from runs');
      for (const text of [
        'set role postgres',
        'set session authorization postgres',
        'set role none; alter role stet_server superuser',
        'set role none; create role mine superuser',
        'set role none; alter table audit_events disable trigger all',
        'set role none; select count(*) from runs',
        `copy users to program 'cat'`,
      ]) {
        await expect(server.query(text), text).rejects.toMatchObject({ code: '42501' });
        await server.query('set role stet_app');
      }
    });
  });
});

describe('migrations by a different user', () => {
  it('leave the tables with an owner that needs neither superuser rights nor CREATEROLE', async () => {
    const database = await createEmptyDatabase();
    const name = `stet test ${randomUUID().slice(0, 8)}`;
    const quoted = pg.escapeIdentifier(name);
    const { host, port, database: db } = database.connection;
    const urlOf = (user: string): string =>
      `postgres://${encodeURIComponent(user)}@${encodeURIComponent(host)}:${port}/${db}`;
    const admin = (): pg.Client => new pg.Client(database.connection);
    await as(admin(), async (client) => {
      await client.query(`create role ${quoted} login`);
      await client.query(`alter database ${pg.escapeIdentifier(db)} owner to ${quoted}`);
    });
    try {
      for (let start = 0; start < 2; start += 1) {
        const { connect, done } = await adminMigrations(database.url, urlOf(name));
        const { applied } = await migrate({ connect, directory: MIGRATIONS_DIRECTORY, log });
        expect(applied.length > 0).toBe(start === 0);
        await done();
      }
      await as(ownerClient({ connectionString: urlOf(name) }), async (client) => {
        const { rows } = await client.query(
          `select distinct tableowner as owner, rolsuper or rolcreaterole as strong
           from pg_tables join pg_roles on rolname = tableowner where schemaname = 'public'`,
        );
        expect(rows).toEqual([{ owner: name, strong: false }]);
        await client.query('set role stet_app');
        await expect(client.query('create table mine (id int)')).rejects.toMatchObject({ code: '42501' });
      });
    } finally {
      await database.drop();
      await as(new pg.Client({ ...database.connection, database: 'postgres' }), (client) =>
        client.query(`drop role ${quoted}`),
      );
    }
  });
});
