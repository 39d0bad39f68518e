import pg from 'pg';
import { type Migration, readMigrations } from './migration-files.ts';

type MigrateOptions = {
  /** Returns a client of the schema's owner that isn't connected yet. `migrate` connects it, uses it and ends it. */
  connect: () => pg.Client;
  /** The directory of the `NNNN_name.sql` files. */
  directory: string;
  /** The numbers of the migrations to apply. By default, all are applied. */
  only?: ReadonlySet<number>;
  log: { info(data: object, message: string): void };
};

type Applied = { number: number; name: string; sha256: string };

// The number is arbitrary, but every version of Stet must use the same one.
const LOCK = 5_738_316_401;

/**
 * Thrown if a migration can't be applied, or if the database doesn't match the files. The message names the migration
 * and is for the person who starts the server.
 */
export class MigrationProblem extends Error {
  override readonly name = 'MigrationProblem';
}

/**
 * Brings the schema up to date and returns the names of the files it applied, in order. If several processes call it at
 * the same time, one of them applies the files, and the others wait and then find nothing to do. Rejects with
 * `MigrationProblem` if the files and the database don't match, or if a file fails. A failed file is rolled back, and
 * the files before it stay applied.
 */
export async function migrate({ connect, directory, only, log }: MigrateOptions): Promise<{ applied: string[] }> {
  const migrations = readMigrations(directory).filter(({ number }) => only?.has(number) ?? true);
  const client = connect();
  // If the connection is lost, the running query rejects. Without a listener, Node would exit.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    const pending = findPending(migrations, await listApplied(client));
    for (const migration of pending) {
      await apply(client, migration);
      log.info({ migration: migration.name }, 'migration applied');
    }
    return { applied: pending.map((migration) => migration.name) };
  } finally {
    await client.end(); // Ending the session releases the lock.
  }
}

async function listApplied(client: pg.Client): Promise<Applied[]> {
  await client.query(`
    create table if not exists stet_migrations (
      number integer primary key,
      name text not null,
      sha256 text not null,
      applied_at timestamptz not null default now()
    )`);
  const { rows } = await client.query<Applied>('select number, name, sha256 from stet_migrations order by number');
  return rows;
}

/** Returns the migrations that still have to be applied. Refuses if the files and the database don't match. */
export function findPending(migrations: Migration[], applied: Applied[]): Migration[] {
  const byNumber = new Map(migrations.map((migration) => [migration.number, migration]));
  for (const { number, name, sha256 } of applied) {
    const file = byNumber.get(number);
    if (!file) {
      throw new MigrationProblem(
        `The database has migration ${name}, which this version of Stet doesn't know: its last one is ${migrations.at(-1)?.name}. Nothing was changed. Start the version that was used last, or a newer one; to go back, restore a backup.`,
      );
    }
    if (file.sha256 !== sha256) {
      throw new MigrationProblem(
        `Migration ${file.name} was changed after it was applied${file.name === name ? '' : ` as ${name}`}. Undo the change and add a new migration instead.`,
      );
    }
  }
  const last = applied.at(-1);
  const done = new Set(applied.map(({ number }) => number));
  const pending = migrations.filter((migration) => !done.has(migration.number));
  const late = pending.find((migration) => last && migration.number < last.number);
  if (late && last) {
    throw new MigrationProblem(
      `Migration ${late.name} comes before ${last.name}, which has already been applied. Give it the next free number.`,
    );
  }
  return pending;
}

async function apply(client: pg.Client, { number, name, sql, sha256 }: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(sql);
    await client.query('insert into stet_migrations (number, name, sha256) values ($1, $2, $3)', [
      number,
      name,
      sha256,
    ]);
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback').catch(() => {}); // If the connection was lost, PostgreSQL has rolled back by itself.
    throw new MigrationProblem(`Migration ${name} failed and was rolled back: ${describe(cause, sql)}`, { cause });
  }
}

function describe(cause: unknown, sql: string): string {
  if (!(cause instanceof pg.DatabaseError)) return cause instanceof Error ? cause.message : String(cause);
  const position = Number(cause.position);
  if (!(position > 0)) return cause.message;
  return `${cause.message} (line ${sql.slice(0, position).split('\n').length})`;
}
