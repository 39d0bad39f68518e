import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Refused } from '../kernel/refused.ts';
import { type TestDatabase, createTestDatabase } from '../testing/database.ts';
import { type OpenLane, openLane } from './job-lane.ts';

const jobsNamed = `select from graphile_worker._private_jobs where payload ->> 'name' = $1`;
const REPORT = /^delete from .*_private_jobs/s;

describe('a job lane', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let lane: OpenLane;
  const done: string[] = [];
  let failing = 0;
  let away = 0;
  /** Jobs that don't end until the test releases them. */
  const blocked = new Map<string, () => void>();

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ ...database.connection, max: 8 });
    pool.on('error', () => {});
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...given: unknown[]) => unknown;
      client.query = ((...given: unknown[]) => {
        const [asked] = given as [{ text?: string }];
        if (failing > 0 && REPORT.test(asked.text ?? '')) {
          failing -= 1;
          return Promise.reject(new Error('Connection terminated unexpectedly'));
        }
        return query(...given);
      }) as typeof client.query;
    });
    const task = async ({ name, isHeld, fails }: Record<string, unknown>): Promise<void> => {
      if (name === 'unlucky' && away > 0) {
        away -= 1;
        throw new Refused({ code: 'database_unavailable' });
      }
      if (isHeld === true && !blocked.has(String(name)))
        await new Promise<void>((resolve) => blocked.set(String(name), resolve));
      done.push(String(name));
      if (fails === true) throw new Error('fails on purpose');
    };
    const log = { info() {}, warn() {}, error() {}, debug() {} } as unknown as Parameters<typeof openLane>[2];
    lane = await openLane(pool, { handlers: { task }, atOnce: 3 }, log, () => {});
  });
  afterAll(async () => {
    await lane.stop();
    await pool.end();
    await database.drop();
  });

  const add = async (name: string, more: object = {}) => {
    await pool.query(`select graphile_worker.add_job('task', $1)`, [JSON.stringify({ name, ...more })]);
    lane.wake(1);
  };

  it("retries, within the same attempt, a job that couldn't reach PostgreSQL", async () => {
    away = 2;
    await pool.query(`select graphile_worker.add_job('task', '{"name": "unlucky"}', max_attempts => 1)`);
    lane.wake(1);
    await expect.poll(() => done, { timeout: 8000 }).toContain('unlucky');
    expect(away).toBe(0);
  });

  it('continues after a job’s result could not be reported, even if other jobs were running', async () => {
    await add('slow', { isHeld: true, fails: true });
    await add('other', { isHeld: true });
    await expect.poll(() => [...blocked.keys()].toSorted()).toEqual(['other', 'slow']);
    const before = lane.poolId();
    failing = 1;
    await add('unreported');
    await expect.poll(() => failing).toBe(0);
    blocked.get('other')?.();
    await expect.poll(async () => (await pool.query(jobsNamed, ['other'])).rowCount).toBe(0);
    blocked.get('slow')?.();

    await expect.poll(() => lane.poolId()).not.toBe(before);
    await add('last');
    await expect.poll(() => done).toContain('last');
  });
});
