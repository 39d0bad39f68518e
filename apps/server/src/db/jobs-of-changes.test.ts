import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tx } from '../kernel/database.ts';
import { createTestDatabase } from '../testing/database.ts';
import { enqueueJobs } from './outbox.ts';
import { openPool } from './pool.ts';
import { refusalOf } from './refusal-of.ts';
import { statement } from './statement.ts';
import { openDatabase } from './transaction.ts';

const addNoJob = statement({
  name: 'test_add_no_job',
  params: [],
  text: `insert into outbox (task, payload) select 'test', '{}' where false`,
});
const setName = statement({
  name: 'test_set_application_name',
  params: [],
  text: `select set_config('application_name', 'test', true)`,
});

const database = await createTestDatabase();
const onJobs = vi.fn<() => void>();
const db = openDatabase(openPool(database.connection, { size: 2, onError: () => {} }), refusalOf, { onJobs });
const orgId = '00000000-0000-4000-8000-000000000001';
const addJob = (tx: Tx): void => enqueueJobs(tx, [{ task: 'test', payload: {} }]);

describe('the queue', () => {
  beforeEach(() => onJobs.mockClear());
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  it('is notified after the commit of a transaction that added jobs', async () => {
    await db.transaction(null, async (tx) => {
      addJob(tx);
      addJob(tx);
      expect(onJobs).not.toHaveBeenCalled();
    });
    expect(onJobs).toHaveBeenCalledTimes(1);
  });

  it('is notified of the jobs of changes that share a transaction', async () => {
    const change = (record: string, work: (tx: Tx) => void) =>
      db.changeRecord({ orgId, userId: null }, null, record, async (tx) => {
        work(tx);
        return { body: null };
      });
    await Promise.all(['a', 'b', 'c', 'd'].map((record) => change(record, record === 'c' ? addJob : () => {})));
    expect(onJobs).toHaveBeenCalledTimes(1);
  });

  it('isn’t notified of other writes, of a statement that adds no jobs, or of jobs that weren’t committed', async () => {
    await db.transaction(null, async (tx) => {
      tx.write(setName, {});
      tx.write(addNoJob, {});
    });
    const failing = db.transaction(null, async (tx) => {
      addJob(tx);
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    expect(onJobs).not.toHaveBeenCalled();
  });
});
