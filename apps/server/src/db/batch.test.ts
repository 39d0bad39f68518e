import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestDatabase, createTestDatabase } from '../testing/database.ts';
import { Batch, type Executed, type Execution } from './batch.ts';
import { openPool } from './pool.ts';

const one = { name: 'test_batch_one', text: 'select 1 as n' };
const echo = { name: 'test_batch_echo', text: 'select $1::text as word' };
const divide = { name: 'test_batch_divide', text: 'select 10 / $1::int as quotient' };
const begin = { name: 'test_batch_begin', text: 'begin' };
const rollback = { name: 'test_batch_rollback', text: 'rollback' };

describe('a batch of statements', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let client: pg.PoolClient;
  let writes: string[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = openPool(database.connection, { size: 1, onError: () => {} });
  });
  beforeEach(async () => {
    client = await pool.connect();
    const { stream } = (client as unknown as { connection: { stream: { write: (bytes: Buffer) => boolean } } })
      .connection;
    writes = [];
    stream.write = (bytes) => {
      writes.push(typesOf(bytes));
      return (Object.getPrototypeOf(stream) as typeof stream).write.call(stream, bytes);
    };
    return () => client.release(true);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const send = (...executions: Execution[]): Promise<Executed>[] => {
    const batch = new Batch(client);
    const results = executions.map((execution) => batch.add(execution));
    batch.send();
    return results;
  };
  const rowsOf = async (...executions: Execution[]): Promise<unknown[][]> =>
    (await Promise.all(send(...executions))).map(({ rows }) => rows);

  it('is sent in one piece with one Sync, and describes each statement once for each connection', async () => {
    const executions = [begin, one, { ...echo, values: ['a'] }, { ...echo, values: ['b'] }, rollback];
    const rows = [[], [{ n: 1 }], [{ word: 'a' }], [{ word: 'b' }], []];
    expect(await rowsOf(...executions)).toEqual(rows);
    expect(await rowsOf(...executions)).toEqual(rows);
    const first = 'CPBDE';
    expect(writes).toEqual([`${first}${first}${first}BE${first}S`, 'BEBEBEBEBES']);
  });

  it('returns the same values as a query that isn’t in a batch', async () => {
    const text = `select 1::bigint as big, 1.5::numeric as number, null::text as nothing, '{"a":["ü"]}'::jsonb as json,
      '2026-11-27T12:00:00.123Z'::timestamptz as at, array['x', null, 'a"b']::text[] as list, '\\x00ff'::bytea as bytes,
      true as flag from generate_series(1, 2)`;
    const { rows } = await client.query<Record<string, unknown>>(text);
    expect(await rowsOf({ name: 'test_batch_types', text })).toEqual([rows]);
    const values = [new Date(0), ['a', null, '"\\'], { a: 'ü' }, 7, null, Buffer.from([0, 255]), true];
    const given = `select $1::timestamptz, $2::text[], $3::jsonb as json, $4::int, $5::text, $6::bytea, $7::bool as flag`;
    const alone = await client.query<Record<string, unknown>>(given, values);
    expect(await rowsOf({ name: 'test_batch_values', text: given, values })).toEqual([alone.rows]);
  });

  it('counts the rows that were changed', async () => {
    const insert = 'insert into waitlist_test select generate_series(1, 3)';
    await client.query('create temporary table waitlist_test (n int)');
    const [changed, nothing] = await Promise.all(
      send(
        { name: 'test_batch_insert', text: insert },
        { name: 'test_batch_none', text: 'delete from waitlist_test where n > 3' },
      ),
    );
    expect([changed?.rowCount, nothing?.rowCount]).toEqual([3, 0]);
  });

  it('skips the statements after a failed one, and leaves the connection usable', async () => {
    for (let n = 0; n < 2; n += 1) {
      const results = await Promise.allSettled(
        send({ ...divide, values: [2] }, { ...divide, values: [0] }, one, { ...divide, values: [5] }),
      );
      expect(results).toMatchObject([
        { status: 'fulfilled', value: { rows: [{ quotient: 5 }] } },
        { status: 'rejected', reason: { code: '22012' } },
        { status: 'rejected', reason: { code: '22012' } },
        { status: 'rejected', reason: { code: '22012' } },
      ]);
    }
    expect(await rowsOf({ ...divide, values: [5] }, one)).toEqual([[{ quotient: 2 }], [{ n: 1 }]]);
  });

  it('fails once if the result’s columns have changed, and then returns the new ones', async () => {
    const select = { name: 'test_batch_columns', text: 'select * from changing' };
    await client.query('create temporary table changing as select 1 as a');
    expect(await rowsOf(select)).toEqual([[{ a: 1 }]]);
    await client.query('alter table changing add column b int');
    await expect(rowsOf(select)).rejects.toMatchObject({ code: '0A000' });
    expect(await rowsOf(select)).toEqual([[{ a: 1, b: null }]]);
  });

  it('fails if its last statement can’t be committed', async () => {
    await client.query('create temporary table test_batch_twins (n int unique deferrable initially deferred)');
    const insert = { name: 'test_batch_insert', text: 'insert into test_batch_twins values (1)' };
    await rowsOf(insert);
    await expect(rowsOf(insert)).rejects.toThrow('duplicate key value');
    const commit = { name: 'commit', text: 'commit' };
    const [, , committed] = await Promise.allSettled(send(begin, insert, commit));
    expect(committed).toMatchObject({ status: 'rejected', reason: { code: '23505' } });
    expect((await client.query('select n from test_batch_twins')).rows).toEqual([{ n: 1 }]);
    await client.query('drop table test_batch_twins');
  });

  it('fails if the transaction that it commits has failed', async () => {
    const failed = await Promise.allSettled(send(begin, { ...divide, values: [0] }));
    expect(failed.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await expect(rowsOf({ name: 'commit', text: 'commit' })).rejects.toThrow('rolled back');
  });

  it('can’t be extended after it was sent, and may contain an empty statement', async () => {
    const batch = new Batch(client);
    const results = [batch.add({ name: 'test_batch_empty', text: '' }), batch.add(one)];
    batch.send();
    expect(() => batch.add(one)).toThrow('has been sent');
    expect(await Promise.all(results)).toMatchObject([{ rows: [] }, { rows: [{ n: 1 }] }]);
  });

  it('isn’t sent at all if a value can’t be converted to text', async () => {
    const value: Record<string, unknown> = {};
    value['itself'] = value;
    const results = await Promise.allSettled(send(one, { ...echo, values: [value] }));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(writes).toEqual([]);
    expect(await rowsOf(one)).toEqual([[{ n: 1 }]]);
  });

  it('fails if the connection is lost', async () => {
    const sleeping = send({ name: 'test_batch_sleep', text: 'select pg_sleep(60)' }, one);
    const ended = Promise.allSettled(sleeping);
    (client as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy();
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('gets its own results if it is sent before the previous one is answered', async () => {
    const first = rowsOf({ ...echo, values: ['first'] });
    const second = rowsOf({ ...echo, values: ['second'] });
    expect(await Promise.all([first, second])).toEqual([[[{ word: 'first' }]], [[{ word: 'second' }]]]);
  });
});

/** The types of the messages in a write to PostgreSQL. */
function typesOf(bytes: Buffer): string {
  let types = '';
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) types += String.fromCharCode(bytes[at] ?? 0);
  return types;
}
