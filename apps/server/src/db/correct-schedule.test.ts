import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLog } from '../kernel/log.ts';
import { type TestDatabase, createEmptyDatabase } from '../testing/database.ts';
import { correctSchedule } from './correct-schedule.ts';

describe('a schedule written by a clock that was two days ahead', () => {
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

  it('continues now, and other jobs keep their time', async () => {
    await pool.query(
      `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
       values ('ahead', now(), now() + interval '2 days'), ('on_time', now(), now() - interval '5 minutes')`,
    );
    for (const [task, payload] of [
      ['ahead', { _cron: { ts: '2026-11-29T16:19:00.000Z', backfilled: false } }],
      ['later', {}],
    ] as const)
      await pool.query(`select graphile_worker.add_job($1, $2, run_at => now() + interval '2 days')`, [task, payload]);
    await correctSchedule(pool, openLog('silent'));
    const { rows: crontabs } = await pool.query(
      `select identifier, last_execution > now() as is_ahead, last_execution > now() - interval '1 minute' as is_new
       from graphile_worker._private_known_crontabs order by 1`,
    );
    expect(crontabs).toEqual([
      { identifier: 'ahead', is_ahead: false, is_new: true },
      { identifier: 'on_time', is_ahead: false, is_new: false },
    ]);
    const { rows: jobs } = await pool.query(
      `select task_identifier as task, run_at <= now() as is_due from graphile_worker.jobs order by 1`,
    );
    expect(jobs).toEqual([
      { task: 'ahead', is_due: true },
      { task: 'later', is_due: false },
    ]);
  });
});
