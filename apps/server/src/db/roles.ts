import pg from 'pg';
import { type Connection, ownerClient } from './pool.ts';

/** Requests connect to the embedded PostgreSQL as this role, which can take no role except stet_app. */
export const SERVER_ROLE = 'stet_server';

async function asOwner<T>(connection: Connection, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = ownerClient(connection);
  client.on('error', () => {}); // If the connection is lost, the running query rejects.
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Creates the role for requests if it is missing, and resets its attributes. Returns a connection as this role. */
export async function ensureServerRole(owner: Exclude<Connection, { connectionString: string }>): Promise<Connection> {
  await asOwner(owner, async (client) => {
    await client.query(`
      do $$
      begin
        create role ${SERVER_ROLE};
      exception
        when duplicate_object or unique_violation then null;
      end
      $$`);
    await client.query(
      `alter role ${SERVER_ROLE} login noinherit nosuperuser nocreatedb nocreaterole noreplication nobypassrls`,
    );
    await client.query(`grant stet_app to ${SERVER_ROLE}`);
  });
  return { ...owner, user: SERVER_ROLE };
}

/**
 * True if the user of a connection is a superuser. Row-level security doesn't apply to superusers, and they can disable
 * triggers.
 */
export const isSuperuser = (connection: Connection): Promise<boolean> =>
  asOwner(connection, async (client) => {
    const { rows } = await client.query<{ rolsuper: boolean }>(
      'select rolsuper from pg_roles where rolname = current_user',
    );
    return rows[0]?.rolsuper === true;
  });

const userOf = (url: string): string => decodeURIComponent(new URL(url).username);

/**
 * Prepares a database for migrations by a different user. The new objects belong to the user of `DATABASE_URL`, who
 * needs neither superuser rights nor CREATEROLE after the migrations. `connect` returns an unconnected client for
 * `migrate`. Call `done` after the migrations: it removes CREATEROLE if the user got it only for them.
 */
export async function adminMigrations(
  adminUrl: string,
  databaseUrl: string,
): Promise<{ connect: () => pg.Client; done: () => Promise<void> }> {
  const admin = { connectionString: adminUrl };
  const [user, self] = [userOf(databaseUrl), userOf(adminUrl)];
  if (user === self) return { connect: () => ownerClient(admin), done: async () => {} };
  const name = pg.escapeIdentifier(user);
  const lent = await asOwner(admin, async (client) => {
    await client.query(`
      do $$
      begin
        create role stet_app nologin nosuperuser nobypassrls noinherit;
      exception
        when duplicate_object or unique_violation then null;
      end
      $$`);
    await client.query(`grant stet_app to ${name}`);
    // Up to PostgreSQL 14, every role can create tables in the schema public, which doesn't belong to the database's
    // owner.
    await client.query(`
      do $$
      begin
        if has_schema_privilege('public', 'public', 'create') then
          grant create on schema public to ${name};
          revoke create on schema public from public;
        end if;
      end
      $$`);
    const { rows } = await client.query<{ rolcreaterole: boolean; is_new: boolean }>(
      `select rolcreaterole, to_regclass('stet_migrations') is null as is_new from pg_roles where rolname = $1`,
      [user],
    );
    // The first migration creates a role that already exists. PostgreSQL checks for CREATEROLE before it detects that.
    const isLent = rows[0]?.is_new === true && !rows[0].rolcreaterole;
    if (isLent) await client.query(`alter role ${name} createrole`);
    return isLent;
  });
  return {
    connect: () => ownerClient(admin, user),
    done: async () => {
      if (lent) await asOwner(admin, (client) => client.query(`alter role ${name} nocreaterole`));
    },
  };
}
