import type pg from 'pg';

/** The tables of a run, each with its column that contains the run's id. */
const TABLES = [
  ['runs', 'id'],
  ['run_steps', 'run_id'],
  ['run_tasks', 'run_id'],
  ['run_crossings', 'run_id'],
  ['open_runs', 'run_id'],
] as const;

/** A snapshot of a run in temporary tables of the connection, and its number of events at that time. */
export type Remembered = { runId: string; events: number };

/** Returns SQL for the id of the copy with that number. */
export const copyId = (n: string): string => `lpad(to_hex(${n}), 32, '0')::uuid`;

export async function rememberRun(sql: pg.Client, runId: string): Promise<Remembered> {
  for (const [table, key] of TABLES)
    await sql.query(`create temporary table remembered_${table} as select * from ${table} where ${key} = '${runId}'`);
  return { runId, events: await eventsOf(sql, 'run_id = $1', [runId]) };
}

/** Creates copies of a run's snapshot, numbered from 1. */
export async function copyRun(sql: pg.Client, run: Remembered, count: number): Promise<void> {
  await insertCopies(sql, run, count);
  await sql.query('vacuum analyze');
}

/** The same without updating statistics, so that it can be executed in a transaction. */
export async function insertCopies(sql: pg.Client, { runId }: Remembered, count: number): Promise<void> {
  await sql.query('set session_replication_role = replica');
  for (const [table, key] of TABLES) {
    const { rows } = await sql.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
      [table],
    );
    const names = rows.map(({ name }) => name);
    await sql.query(
      `insert into ${table} (${names.join(', ')})
       select ${names.map((name) => (name === key ? copyId('n') : name)).join(', ')}
       from remembered_${table}, generate_series(1, ${count}) n`,
    );
  }
  await sql.query('reset session_replication_role');
  // The triggers that count runs were disabled.
  await sql.query(
    `update run_counts set running = running + $2 where org_id = (select org_id from runs where id = $1)`,
    [runId, count],
  );
}

/** Throws unless the copies advanced like the original since its snapshot, with each event once. */
export async function assertCompleted(sql: pg.Client, remembered: Remembered, count: number): Promise<void> {
  const copies = `in (select ${copyId('n')} from generate_series(1, ${count}) n)`;
  const { rows } = await sql.query<{ n: number }>(
    `select count(*)::int as n from runs r join runs o on o.id = $1 and o.org_id = r.org_id
     where r.id ${copies} and (r.status, r.steps_completed, r.revision) = (o.status, o.steps_completed, o.revision)`,
    [remembered.runId],
  );
  const done = rows[0]?.n ?? 0;
  const perRun = (await eventsOf(sql, 'run_id = $1', [remembered.runId])) - remembered.events;
  const events = await eventsOf(sql, `run_id ${copies}`, []);
  if (done !== count || perRun === 0 || events !== count * perRun)
    throw new Error(`only ${done} of ${count} copies were completed, with ${events} of ${count * perRun} events`);
}

async function eventsOf(sql: pg.Client, which: string, values: string[]): Promise<number> {
  const { rows } = await sql.query<{ n: number }>(`select count(*)::int as n from audit_events where ${which}`, values);
  return rows[0]?.n ?? 0;
}
