import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { cpuSeconds, endedChildrenSeconds } from './cpu.ts';
import type { Sent, SentTransaction } from './recorded.ts';

/** Runs that the floor's transactions choose among: so many that two of them seldom meet. */
const COPIES = 4000;

export type Floor = {
  perSecond: number;
  count: number;
  /** Of pgbench itself. */
  cpuSeconds: number;
  postgresSeconds: number;
};

type FloorOptions = {
  programs: string;
  postgres: { pid: number; host: string; port: number };
  sql: pg.Client;
  /** The transactions that completed the five steps of this run, in order. */
  transactions: readonly SentTransaction[];
  runId: string;
  clients: number;
  seconds: number;
};

/**
 * What pgbench reaches with the statements that the server has sent, prepared, in the same two flushes: on fresh copies of
 * the run, each transaction one of its steps.
 */
export async function floorOf(options: FloorOptions): Promise<Floor> {
  const { programs, postgres, sql, transactions, runId, clients, seconds } = options;
  await copyRun(sql, runId);
  const folder = mkdtempSync(join(tmpdir(), 'stet-floor-'));
  try {
    const variables: string[] = [];
    const files: string[] = [];
    for (const [at, sent] of transactions.entries()) {
      files.push(join(folder, `step-${at}.sql`));
      writeFileSync(files[at] ?? '', await scriptOf(sql, sent, runId, variables));
    }
    const args = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds)];
    const where = ['-h', postgres.host, '-p', String(postgres.port), '-U', 'postgres', 'stet'];
    const [before, postgresBefore] = [endedChildrenSeconds(), cpuSeconds(postgres.pid)];
    const child = spawn(
      join(programs, 'pgbench'),
      [
        ...args,
        ...variables.flatMap((value, at) => ['-D', `v${at}=${value}`]),
        ...files.flatMap((file) => ['-f', file]),
        ...where,
      ],
      { env: { ...process.env, PGOPTIONS: '-c role=stet_app -c timezone=UTC' }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let said = '';
    child.stdout.on('data', (chunk) => (said += String(chunk)));
    child.stderr.on('data', (chunk) => (said += String(chunk)));
    const [code] = (await once(child, 'close')) as [number];
    const perSecond = Number(/tps = ([\d.]+)/.exec(said)?.[1]);
    const count = Number(/transactions actually processed: (\d+)/.exec(said)?.[1]);
    if (code !== 0 || !perSecond || / failed transactions: [1-9]/.test(said)) throw new Error(`pgbench: ${said}`);
    const [after, postgresAfter] = [endedChildrenSeconds(), cpuSeconds(postgres.pid)];
    return { perSecond, count, cpuSeconds: after - before, postgresSeconds: postgresAfter - postgresBefore };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const copyId = (n: string): string => `lpad(to_hex(${n}), 32, '0')::uuid`;

/** The run as it stands, so many times, under ids that a number leads to. */
async function copyRun(sql: pg.Client, runId: string): Promise<void> {
  await sql.query('set session_replication_role = replica');
  for (const [table, key] of [
    ['runs', 'id'],
    ['run_steps', 'run_id'],
    ['run_tasks', 'run_id'],
  ] as const) {
    const { rows } = await sql.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
      [table],
    );
    const names = rows.map(({ name }) => name);
    await sql.query(
      `insert into ${table} (${names.join(', ')})
       select ${names.map((name) => (name === key ? copyId('n') : name)).join(', ')}
       from ${table}, generate_series(1, ${COPIES}) n where ${key} = $1 on conflict do nothing`,
      [runId],
    );
  }
  await sql.query('reset session_replication_role');
  await sql.query('vacuum analyze');
}

/** A script for pgbench; each value becomes a variable, and so a parameter of the prepared statement. */
async function scriptOf(sql: pg.Client, sent: readonly Sent[], runId: string, variables: string[]): Promise<string> {
  const lines = [`\\set run random(1, ${COPIES})`, '\\startpipeline'];
  // The server reads in one flush, decides, and writes in another.
  const firstWrite = sent.findIndex(({ name }) => name === 'hold_standing' || name === 'save_run');
  for (const [at, { text, values }] of sent.entries()) {
    if (at === firstWrite) lines.push('\\endpipeline', '\\startpipeline');
    const types = values.length === 0 ? [] : await typesIn(sql, text);
    const filled = withoutColons(text).replaceAll(/\$(\d+)/g, (_, n: string) => {
      const value = values[Number(n) - 1] ?? null;
      return `${filledBy(value, runId, variables)}::${types[Number(n) - 1] ?? 'text'}`;
    });
    lines.push(`${filled.replaceAll(/\s*\n\s*/g, ' ').trim()};`);
  }
  return [...lines, '\\endpipeline', ''].join('\n');
}

/** To pgbench a colon is the beginning of a variable, within literals too. */
const withoutColons = (text: string): string =>
  text.replaceAll(/'[^']*:\w[^']*'/g, (literal) => `E${literal.replaceAll(':', '\\x3a')}`);

function filledBy(value: string | null, runId: string, variables: string[]): string {
  if (value === null) return 'null';
  const copy = copyId(':run::int');
  if (value === runId) return copy;
  variables.push(value);
  const variable = `:v${variables.length - 1}::text`;
  // Events and jobs name their run inside.
  return value.includes(runId) ? `replace(${variable}, '${runId}', ${copy}::text)` : variable;
}

/** pgbench tells PostgreSQL no types, and makes each mention of a value a parameter of its own. */
async function typesIn(sql: pg.Client, text: string): Promise<string[]> {
  await sql.query(`prepare looked_at as ${text}`);
  const { rows } = await sql.query<{ types: string[] }>(
    `select parameter_types::text[] as types from pg_prepared_statements where name = 'looked_at'`,
  );
  await sql.query('deallocate looked_at');
  return rows[0]?.types ?? [];
}
