import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createTestDatabase } from '../testing/database.ts';
import { Batch } from './batch.ts';
import { hasLargeValue } from './large-values.ts';
import { openPool } from './pool.ts';

describe('a statement with large binary values', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = openPool(database.connection, { size: 1, onError: () => {} });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const name = 'test_large_values';
  const text = `select encode(sha256($1::bytea), 'hex') as sha256, length($1::bytea) as length, $2::text as text, $3::int as number, $4::bool as flag, $5::bytea as other`;
  const run = async (values: unknown[]) => {
    const client = await pool.connect();
    try {
      const batch = new Batch(client);
      const result = batch.add({ name, text, values });
      batch.send();
      return await result;
    } finally {
      client.release();
    }
  };

  it('is one with a buffer of at least 64 KB; a long text doesn’t count', () => {
    expect(hasLargeValue([null, 'x'.repeat(100_000), Buffer.alloc(64 * 1024 - 1)])).toBe(false);
    expect(hasLargeValue([1, Buffer.alloc(64 * 1024)])).toBe(true);
  });

  it('arrives like any other statement, with any other values', async () => {
    const { digestOf } = await import('../testing/files.ts');
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 0, maxLength: 300_000, size: 'max' }),
        fc.option(fc.string({ unit: 'grapheme' }).map((each) => each.replaceAll('\0', ''))),
        fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
        fc.option(fc.boolean()),
        fc.option(fc.uint8Array({ maxLength: 40 })),
        async (bytes, words, number, flag, other) => {
          const { rows } = await run([Buffer.from(bytes), words, number, flag, other && Buffer.from(other)]);
          expect(rows).toEqual([
            {
              sha256: digestOf(bytes),
              length: bytes.length,
              text: words,
              number,
              flag,
              other: other && Buffer.from(other),
            },
          ]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('leaves the connection usable if it fails', async () => {
    const large = Buffer.alloc(300_000, 1);
    await expect(run([large, 'x', 'not a number', true, null])).rejects.toMatchObject({ code: '22P02' });
    expect((await run([large, 'x', 5, true, null])).rows).toMatchObject([{ length: 300_000, number: 5 }]);
  });
});
