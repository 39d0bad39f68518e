import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { type Remembered, assertCompleted, copyId, copyRun } from './copies.ts';
import { cpuSeconds, endedChildrenSeconds } from './cpu.ts';
import type { Sent, SentTransaction } from './recorded.ts';

export type Floor = {
  perSecond: number;
  count: number;
  /** CPU seconds of pgbench itself. */
  cpuSeconds: number;
  postgresSeconds: number;
};

type FloorOptions = {
  programs: string;
  postgres: { pid: number; host: string; port: number };
  sql: pg.Client;
  /** The run before its first step was completed, and the transactions that completed its steps, in order. */
  before: Remembered;
  transactions: readonly SentTransaction[];
  clients: number;
  runsPerClient: number;
};

/**
 * Returns the throughput of pgbench with the server's own statements, prepared and in the same two flushes. Each client
 * has its own copies of the run before its first step, and goes through all of them step by step. Each transaction
 * finds and changes the same rows as the server's.
 */
export async function floorOf(options: FloorOptions): Promise<Floor> {
  const { programs, postgres, sql, transactions, before: run, clients, runsPerClient } = options;
  const copies = clients * runsPerClient;
  await copyRun(sql, run, copies);
  const folder = mkdtempSync(join(tmpdir(), 'stet-floor-'));
  try {
    const variables: string[] = [];
    const file = join(folder, 'steps.sql');
    writeFileSync(file, await scriptOf(sql, transactions, run.runId, runsPerClient, variables));
    const each = String(runsPerClient * transactions.length);
    const args = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-t', each, '-D', 'done=0'];
    const where = ['-h', postgres.host, '-p', String(postgres.port), '-U', 'postgres', 'stet'];
    const [before, postgresBefore] = [endedChildrenSeconds(), cpuSeconds(postgres.pid)];
    const child = spawn(
      join(programs, 'pgbench'),
      [...args, ...variables.flatMap((value, at) => ['-D', `v${at}=${value}`]), '-f', file, ...where],
      { env: { ...process.env, PGOPTIONS: '-c role=stet_app -c timezone=UTC' }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.stderr.on('data', (chunk) => (output += String(chunk)));
    const [code] = (await once(child, 'close')) as [number];
    const perSecond = Number(/tps = ([\d.]+)/.exec(output)?.[1]);
    const count = Number(/transactions actually processed: (\d+)/.exec(output)?.[1]);
    if (code !== 0 || !perSecond || / failed transactions: [1-9]/.test(output)) throw new Error(`pgbench: ${output}`);
    await assertCompleted(sql, run, copies);
    const [after, postgresAfter] = [endedChildrenSeconds(), cpuSeconds(postgres.pid)];
    return { perSecond, count, cpuSeconds: after - before, postgresSeconds: postgresAfter - postgresBefore };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the script for pgbench. The number of transactions that a client has sent determines its next transaction and
 * copy.
 */
async function scriptOf(
  sql: pg.Client,
  transactions: readonly SentTransaction[],
  runId: string,
  runsPerClient: number,
  variables: string[],
): Promise<string> {
  const lines = [
    `\\set step :done / ${runsPerClient}`,
    `\\set run :client_id * ${runsPerClient} + :done % ${runsPerClient} + 1`,
  ];
  for (const [at, sent] of transactions.entries())
    lines.push(`\\${at === 0 ? 'if' : 'elif'} :step = ${at}`, ...(await linesOf(sql, sent, runId, variables)));
  return [...lines, '\\endif', '\\set done :done + 1', ''].join('\n');
}

/**
 * Returns one transaction for pgbench. Each value becomes a variable, which pgbench sends as a parameter of the
 * prepared statement.
 */
async function linesOf(sql: pg.Client, sent: readonly Sent[], runId: string, variables: string[]): Promise<string[]> {
  const lines = ['\\startpipeline'];
  // The server reads in one flush, decides, and writes in another flush.
  const firstWrite = sent.findIndex(({ name }) => name === 'recheck_member' || name === 'save_runs');
  for (const [at, { text, values }] of sent.entries()) {
    if (at === firstWrite) lines.push('\\endpipeline', '\\startpipeline');
    const types = values.length === 0 ? [] : await typesIn(sql, text);
    const filled = withoutColons(text).replaceAll(/\$(\d+)/g, (_, n: string) => {
      const value = values[Number(n) - 1] ?? null;
      return `${filledBy(value, runId, variables)}::${types[Number(n) - 1] ?? 'text'}`;
    });
    lines.push(`${filled.replaceAll(/\s*\n\s*/g, ' ').trim()};`);
  }
  return [...lines, '\\endpipeline'];
}

/**
 * Removes comments and escapes the colons within literals, which pgbench would treat as variables. `::` outside of
 * literals stays.
 */
const withoutColons = (text: string): string =>
  text.replaceAll(/--[^\n]*|'(?:[^']|'')*'/g, (part) => {
    if (part.startsWith('--')) return '';
    return /:\w/.test(part) ? `E${part.replaceAll('\\', '\\\\').replaceAll(':', '\\x3a')}` : part;
  });

function filledBy(value: string | null, runId: string, variables: string[]): string {
  if (value === null) return 'null';
  const copy = copyId(':run::int');
  if (value === runId) return copy;
  variables.push(value);
  const variable = `:v${variables.length - 1}::text`;
  // Events and jobs contain the id of their run.
  return value.includes(runId) ? `replace(${variable}, '${runId}', ${copy}::text)` : variable;
}

/**
 * Returns the types of a statement's parameters. pgbench sends no types to PostgreSQL, and makes each occurrence of a
 * value a separate parameter.
 */
async function typesIn(sql: pg.Client, text: string): Promise<string[]> {
  await sql.query(`prepare looked_at as ${text}`);
  const { rows } = await sql.query<{ types: string[] }>(
    `select parameter_types::text[] as types from pg_prepared_statements where name = 'looked_at'`,
  );
  await sql.query('deallocate looked_at');
  return rows[0]?.types ?? [];
}
