import pg from 'pg';
import type { TestServer } from './server.ts';

/**
 * Changes the members or the policy of an organization as the server does, but commits only once a call is waiting for
 * the change, or has ended without waiting. Returns the response to that call. With `alone`, the organization itself
 * isn't locked, so the call waits only for the changed row.
 */
export async function changeBefore<T>(
  { database, sql }: TestServer,
  orgId: string,
  change: { text: string; values: unknown[]; alone?: boolean },
  call: () => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...database.connection });
  await client.connect();
  try {
    await client.query('begin');
    if (!change.alone) await client.query('select id from organizations where id = $1 for no key update', [orgId]);
    await client.query(change.text, change.values);
    let isAnswered = false;
    const answer = call().finally(() => (isAnswered = true));
    await waitForLock(sql, () => isAnswered);
    await client.query('commit');
    return await answer;
  } finally {
    await client.end();
  }
}

/**
 * Makes calls while a row is locked, each as soon as all earlier ones are waiting for the lock, or the last of them has
 * ended. Then releases the lock as soon as `isOver` returns true. Returns the responses.
 */
export async function whileLocked<T>(
  { database, sql }: TestServer,
  lock: { text: string; values: unknown[] },
  calls: readonly (() => Promise<T>)[],
  isOver: () => Promise<boolean> = async () => true,
): Promise<T[]> {
  const client = new pg.Client({ ...database.connection });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(lock.text, lock.values);
    const replies: Promise<T>[] = [];
    for (const call of calls) {
      let isAnswered = false;
      replies.push(call().finally(() => (isAnswered = true)));
      await waitForLock(sql, () => isAnswered, replies.length);
    }
    while (!(await isOver())) await new Promise((resolve) => setTimeout(resolve, 10));
    await client.query('commit');
    return await Promise.all(replies);
  } finally {
    await client.end();
  }
}

async function waitForLock(sql: TestServer['sql'], isOver: () => boolean, count = 1): Promise<void> {
  while (!isOver()) {
    const waiting = await sql(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (waiting.length >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
