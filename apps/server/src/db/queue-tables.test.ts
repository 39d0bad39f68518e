import fs from 'node:fs';
import { createRequire } from 'node:module';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../testing/database.ts';
import { QUEUE_COLUMNS, QUEUE_FUNCTIONS, QUEUE_JOB_SPEC, QUEUE_VERSION } from './queue-tables.ts';

describe('the schema of the installed job queue', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    pool = new pg.Pool(database.connection);
    pool.on('error', () => {});
    await runMigrations({ pgPool: pool });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('is that of the pinned version that our SQL was written for', async () => {
    const own = JSON.parse(fs.readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const installed = createRequire(import.meta.url)('graphile-worker/package.json') as { version: string };
    const { rows } = await pool.query<{ last: number }>('select max(id)::int as last from graphile_worker.migrations');
    expect([own.dependencies['graphile-worker'], installed.version, rows[0]?.last]).toEqual([
      QUEUE_VERSION.release,
      QUEUE_VERSION.release,
      QUEUE_VERSION.migration,
    ]);
  });

  it.each(Object.entries(QUEUE_COLUMNS))('has the columns of %s that our SQL uses', async (table, columns) => {
    const { rows } = await pool.query<{ name: string; type: string }>(
      `select column_name as name, data_type as type from information_schema.columns
       where table_schema = 'graphile_worker' and table_name = $1 and column_name = any ($2)`,
      [table, Object.keys(columns)],
    );
    expect(Object.fromEntries(rows.map(({ name, type }) => [name, type]))).toEqual(columns);
  });

  it('accepts jobs in our format', async () => {
    const { rows } = await pool.query<{ attribute: string }>(
      `select attname || ' ' || format_type(atttypid, atttypmod) as attribute from pg_attribute
       where attrelid = 'graphile_worker.job_spec'::regclass and attnum > 0 and not attisdropped order by attnum`,
    );
    expect(rows.map(({ attribute }) => attribute)).toEqual(QUEUE_JOB_SPEC);
  });

  it.each(Object.entries(QUEUE_FUNCTIONS))(
    'has the function %s with the arguments that our SQL uses',
    async (name, given) => {
      const { rows } = await pool.query<{ arguments: string }>(
        `select pg_get_function_identity_arguments(oid) as arguments from pg_proc
       where pronamespace = 'graphile_worker'::regnamespace and proname = $1`,
        [name],
      );
      expect(rows).toEqual([{ arguments: given }]);
    },
  );
});
