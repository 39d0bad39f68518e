import type pg from 'pg';

/**
 * The clock during a fill, for both its process and its database. `now` is in epoch milliseconds. It can only move
 * forward.
 */
export type MovedClock = {
  now: () => number;
  moveTo: (at: number) => Promise<void>;
  /** Resets both clocks, and removes everything from the database that changed its clock. */
  putBack: () => Promise<void>;
};

const SCHEMA = 'demo_clock';
const FUNCTIONS = ['now', 'clock_timestamp', 'statement_timestamp', 'transaction_timestamp'] as const;
const SHADOWED = `${SCHEMA}, pg_catalog`;

type Catalog = {
  /** Functions with their own search path. */
  paths: { name: string; path: string }[];
  /** Column defaults that call one of the functions. */
  defaults: { column: string; expression: string }[];
};

/**
 * Moves the clock of this process. Also moves the clock of a database for connections that a role opens from now on:
 * functions in another schema hide those of PostgreSQL with the same names. Only the owner of the database can create
 * them.
 *
 * @param owner a connection as the owner, on which nothing else runs
 */
export async function moveClock(owner: pg.Client, role: string, start: number): Promise<MovedClock> {
  const before = await readCatalog(owner);
  const database = await nameOf(owner);
  await inTransaction(owner, async () => {
    await owner.query(`create schema ${SCHEMA}`);
    await owner.query(`create table ${SCHEMA}.shift (ms double precision not null)`);
    await owner.query(`insert into ${SCHEMA}.shift values (0)`);
    for (const name of FUNCTIONS)
      await owner.query(
        `create function ${SCHEMA}.${name}() returns timestamptz language sql ${name === 'clock_timestamp' ? 'volatile' : 'stable'}
         as 'select pg_catalog.${name}() + make_interval(secs => ms / 1000) from ${SCHEMA}.shift'`,
      );
    await owner.query(`grant usage on schema ${SCHEMA} to stet_app`);
    await owner.query(`grant select on ${SCHEMA}.shift to stet_app`);
    for (const { name, path } of before.paths)
      await owner.query(`alter function ${name} set search_path = ${SHADOWED}, ${path}`);
    await owner.query(`set local search_path = ${SHADOWED}, public`);
    for (const { column, expression } of before.defaults) await owner.query(`${column} set default ${expression}`);
    await owner.query(`alter role ${role} in database ${database} set search_path = ${SHADOWED}, public`);
  });

  const process = moveProcessClock();
  const moveTo = async (at: number): Promise<void> => {
    const shift = process.shiftTo(Math.max(at, Date.now()));
    await owner.query(`update ${SCHEMA}.shift set ms = $1`, [shift]);
  };
  const putBack = async (): Promise<void> => {
    process.putBack();
    await inTransaction(owner, async () => {
      for (const { name, path } of before.paths) await owner.query(`alter function ${name} set search_path = ${path}`);
      for (const { column, expression } of before.defaults) await owner.query(`${column} set default ${expression}`);
      await owner.query(`alter role ${role} in database ${database} reset search_path`);
      for (const name of FUNCTIONS) await owner.query(`drop function ${SCHEMA}.${name}()`);
      await owner.query(`drop table ${SCHEMA}.shift`);
      // Dropping the schema fails if anything still depends on it.
      await owner.query(`drop schema ${SCHEMA}`);
      const after = await readCatalog(owner);
      if (JSON.stringify(after) !== JSON.stringify(before)) throw new Error('the clock of the database is still moved');
    });
  };
  // The fill begins in the past, so this is the only time that the clock moves backward.
  await owner.query(`update ${SCHEMA}.shift set ms = $1`, [process.shiftTo(start)]);
  return { now: () => Date.now(), moveTo, putBack };
}

/** Replaces `Date` in this process. All its objects are ordinary dates. */
function moveProcessClock() {
  const Real = globalThis.Date;
  let shift = 0;
  const now = (): number => Real.now() + shift;
  globalThis.Date = new Proxy(Real, {
    apply: () => new Real(now()).toString(),
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget) as Date,
    get: (target, key, receiver) => (key === 'now' ? now : (Reflect.get(target, key, receiver) as unknown)),
  });
  return {
    shiftTo: (at: number): number => (shift = at - Real.now()),
    putBack: (): void => {
      globalThis.Date = Real;
    },
  };
}

async function readCatalog(owner: pg.Client): Promise<Catalog> {
  const { rows: paths } = await owner.query<Catalog['paths'][number]>(
    `select p.oid::regprocedure::text as name, substr(setting, length('search_path=') + 1) as path
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace cross join unnest(p.proconfig) setting
     where n.nspname = 'public' and setting like 'search_path=%' order by name`,
  );
  const { rows: defaults } = await owner.query<Catalog['defaults'][number]>(
    `select format('alter table %s alter column %I', d.adrelid::regclass, a.attname) as column,
            pg_get_expr(d.adbin, d.adrelid) as expression
     from pg_attrdef d
     join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
     join pg_class c on c.oid = d.adrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and pg_get_expr(d.adbin, d.adrelid) ~ '\\m(${FUNCTIONS.join('|')})\\(\\)' order by 1`,
  );
  return { paths, defaults };
}

async function nameOf(owner: pg.Client): Promise<string> {
  const { rows } = await owner.query<{ name: string }>('select quote_ident(current_database()) as name');
  return rows[0]?.name ?? '';
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
