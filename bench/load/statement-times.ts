import { existsSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { type Remembered, copyId, insertCopies } from './copies.ts';
import type { Sent, SentTransaction } from './recorded.ts';

/** A statement, and the microseconds of CPU time that PostgreSQL takes to execute it. */
export type StatementTime = { name: string; us: number };

type Recorded = { before: Remembered; transactions: readonly SentTransaction[]; lookup: Sent };

const BLOCKS = 20;
const EXECUTIONS = 20;

/**
 * Executes each statement of a completed step several times on a copy of its run, after the statements before it. Each
 * execution is rolled back, and so is everything else at the end.
 */
export async function timesOfStatements(
  sql: pg.Client,
  { before, transactions, lookup }: Recorded,
): Promise<StatementTime[]> {
  const [first = []] = transactions;
  const { rows } = await sql.query<{ pid: number; copy: string }>(
    `select pg_backend_pid() as pid, (${copyId('1')})::text as copy`,
  );
  const { pid = 0, copy = '' } = rows[0] ?? {};
  if (!existsSync(`/proc/${pid}/schedstat`)) throw new Error('PostgreSQL doesn’t run on this machine');
  const times: StatementTime[] = [];
  await sql.query('begin');
  try {
    await insertCopies(sql, before, 1);
    await sql.query('set local role stet_app');
    for (const sent of [lookup, ...first.filter(({ name }) => name !== 'begin' && name !== 'commit')]) {
      const values = sent.values.map((value) => value?.replaceAll(before.runId, copy) ?? null);
      const execute = () => sql.query({ ...sent, values });
      times.push({ name: sent.name, us: (await cpuOf(sql, pid, execute)) - (await cpuOf(sql, pid)) });
      await execute();
    }
  } finally {
    await sql.query('rollback');
  }
  return times;
}

/** Returns the median of the CPU times, in microseconds, that an execution and its rollback take. */
async function cpuOf(sql: pg.Client, pid: number, execute?: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  // The first block isn't counted: it includes the planning.
  for (let block = 0; block <= BLOCKS; block += 1) {
    const from = nanoseconds(pid);
    for (let n = 0; n < EXECUTIONS; n += 1) {
      await sql.query('savepoint execution');
      await execute?.();
      await sql.query('rollback to savepoint execution');
    }
    if (block > 0) times.push((nanoseconds(pid) - from) / 1000 / EXECUTIONS);
  }
  return times.toSorted((one, other) => one - other)[BLOCKS / 2] ?? Number.NaN;
}

/** The CPU time of a process with one thread. */
const nanoseconds = (pid: number): number => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]);
