import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type TestDatabase, createTestDatabase } from '../testing/database.ts';
import { type JobQueue, openJobQueue } from './job-queue.ts';

describe('the job queue', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let queue: JobQueue;
  const done: unknown[] = [];
  let failures = 1;
  let onRecord = (): void => {};

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ ...database.connection, max: 2 });
    pool.on('error', () => {});
    const log = { info() {}, warn() {}, error() {}, debug() {} } as unknown as Parameters<typeof openJobQueue>[2];
    const record = async ({ name }: Record<string, unknown>): Promise<void> => {
      onRecord();
      done.push(name);
    };
    const fail = async ({ name }: Record<string, unknown>): Promise<void> => {
      if (failures > 0) {
        failures -= 1;
        throw new Error('fails on purpose');
      }
      done.push(name);
    };
    const lanes = [
      { handlers: { record }, atOnce: 2 },
      { handlers: { fail }, atOnce: 1 },
      { handlers: { in_turn: record }, atOnce: 1, turns: 1 },
    ];
    queue = await openJobQueue(database.connection, { lanes, crontab: '' }, log);
  });
  afterAll(async () => {
    await queue.stop();
    await pool.end();
    await database.drop();
  });

  const add = (task: string, name: string) =>
    pool.query('select graphile_worker.add_job($1, $2)', [task, JSON.stringify({ name })]);
  /** Short, because a worker that nothing wakes would look for jobs after half a minute. */
  const soon = { timeout: 15_000 };

  it('executes jobs from the outbox', async () => {
    await pool.query(`insert into outbox (task, payload) values ('record', '{"name": "committed"}')`);
    queue.poke();
    await expect.poll(() => done, soon).toContain('committed');
  });

  it.each([
    ['record', null],
    ['in_turn', 'an organization'],
  ])('executes a committed job of the task %s without another search', async (task, turn) => {
    const asked = vi.spyOn(pg.Client.prototype, 'query');
    const searches: number[] = [];
    onRecord = () =>
      searches.push(asked.mock.calls.filter(([query]) => (query as { name?: string }).name === 'find_jobs').length);
    for (const name of [1, 2, 3, 4, 5].map((n) => `${task} ${n}`)) {
      const payload = JSON.stringify({ name });
      await pool.query('insert into outbox (task, payload, turn_of) values ($1, $2, $3)', [task, payload, turn]);
      asked.mockClear();
      queue.poke();
      await expect.poll(() => done, soon).toContain(name);
    }
    onRecord = () => {};
    asked.mockRestore();
    // The search that is made every second can coincide with some of them.
    expect(Math.min(...searches)).toBe(1);
  });

  it('executes jobs that another node added to the queue', async () => {
    await add('record', 'another node’s');
    await expect.poll(() => done, soon).toContain('another node’s');
  });

  it('repeats a failed job as soon as it is due', async () => {
    await add('fail', 'repeated');
    await expect.poll(() => done, soon).toContain('repeated');
    expect(failures).toBe(0);
  });

  it('executes a job behind hundreds of jobs that no lane executes', async () => {
    await pool.query(`select graphile_worker.add_job('unknown', '{}') from generate_series(1, 300)`);
    await add('fail', 'behind others');
    await expect.poll(() => done, soon).toContain('behind others');
    await pool.query(`delete from graphile_worker._private_jobs`);
  });

  it('moves jobs that are committed within a moment together', async () => {
    const asked = vi.spyOn(pg.Client.prototype, 'query');
    const begin = performance.now();
    const commit = async (): Promise<void> => {
      for (let n = 0; n < 100; n += 1) {
        await pool.query(`insert into outbox (task, payload) values ('record', '{"name": "one of many"}')`);
        queue.poke();
      }
    };
    await Promise.all([commit(), commit()]);
    await expect.poll(() => done.filter((name) => name === 'one of many').length, soon).toBe(200);
    const moves = asked.mock.calls.filter(([query]) => /^\s*with moved as/.test(String(query))).length;
    asked.mockRestore();
    // One every 20 ms, and the one that is made every second in any case. Timers can be a little early.
    const most = Math.ceil((performance.now() - begin) / 15) + Math.ceil((performance.now() - begin) / 1000);
    expect(moves).toBeGreaterThan(0);
    expect(moves).toBeLessThanOrEqual(most);
  });

  it('keeps no connection that listens for jobs', async () => {
    const { rows } = await pool.query(
      `select query from pg_stat_activity where datname = current_database() and query ilike 'listen%'`,
    );
    expect(rows).toEqual([]);
  });
});
