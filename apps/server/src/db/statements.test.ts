import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type TestDatabase, createTestDatabase } from '../testing/database.ts';
import { declaredStatements } from './statement.ts';

const SOURCES = fileURLToPath(new URL('..', import.meta.url));
const DECLARES = /\bstatement\(\{/;

/** All modules of the server that declare statements. */
const modules = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|^testing\/|^db\/statement\.ts$/.test(file))
  .filter((file) => DECLARES.test(readFileSync(join(SOURCES, file), 'utf8')));
await Promise.all(modules.map((file) => import(/* @vite-ignore */ pathToFileURL(join(SOURCES, file)).href)));
// Tests that ran earlier in this process may have declared other statements.
const statements = declaredStatements().filter(({ name }) => !name.startsWith('test_'));

/** The zod types that are allowed for each column type. Columns of a type that isn't listed must be `custom`. */
const DECLARED_AS: Record<string, string[]> = {
  uuid: ['string', 'custom'],
  text: ['string', 'enum', 'literal', 'custom'],
  int4: ['number'],
  int8: ['number'],
  float8: ['number'],
  bool: ['boolean'],
  timestamptz: ['date'],
};

describe('every declared statement', () => {
  let database: TestDatabase;
  let client: pg.Client;
  const typeNames = new Map<number, string>();

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ ...database.connection, options: '-c role=stet_app' });
    await client.connect();
    const { rows } = await client.query<{ oid: number; typname: string }>(
      'select oid::int as oid, typname from pg_type',
    );
    for (const { oid, typname } of rows) typeNames.set(oid, typname);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('is found in the modules', () => {
    expect(modules.length).toBeGreaterThan(8);
    expect(statements.length).toBeGreaterThan(50);
  });

  it.each(statements.map((s) => [s.name, s] as const))(
    '%s is valid for the server’s role on the migrated schema, and returns the columns that it declares',
    async (_, s) => {
      const { columns, parameters } = await describeStatement(client, s.text);
      expect(parameters).toBe(s.params.length);
      const declared = Object.entries(s.row?.shape ?? {}).map(
        ([name, schema]) => [name, kindOf(schema as z.ZodType)] as const,
      );
      expect(columns.map(({ name }) => name).toSorted()).toEqual(declared.map(([name]) => name).toSorted());
      for (const [name, kind] of declared) {
        const type = typeNames.get(columns.find((column) => column.name === name)?.dataTypeID ?? 0) ?? '';
        expect({ name, type, fits: DECLARED_AS[type] ?? ['custom'] }).toMatchObject({
          fits: expect.arrayContaining([kind]) as unknown,
        });
      }
    },
  );
});

/** The kind of a zod schema, ignoring whether it is nullable. */
function kindOf(schema: z.ZodType): string {
  return schema instanceof z.ZodNullable ? kindOf(schema.unwrap() as z.ZodType) : schema.def.type;
}

type Column = { name: string; dataTypeID: number };
type Wire = {
  parse: (query: { text: string; name: string; types: number[] }, more: boolean) => void;
  describe: (of: { type: 'S'; name: string }, more: boolean) => void;
  sync: () => void;
  once: (event: 'parameterDescription', then: (message: { dataTypeIDs: number[] }) => void) => void;
};

/** Makes PostgreSQL parse a statement and describe its result without executing it. */
function describeStatement(client: pg.Client, text: string): Promise<{ columns: Column[]; parameters: number }> {
  return new Promise((resolve, reject) => {
    let columns: Column[] = [];
    let parameters = 0;
    let failure: Error | null = null;
    client.query({
      submit(wire: Wire) {
        wire.once('parameterDescription', ({ dataTypeIDs }) => (parameters = dataTypeIDs.length));
        wire.parse({ text, name: '', types: [] }, true);
        wire.describe({ type: 'S', name: '' }, true);
        wire.sync();
      },
      handleRowDescription: ({ fields }: { fields: Column[] }) => (columns = fields),
      handleError: (error: Error) => (failure = error),
      handleReadyForQuery: () => (failure ? reject(failure) : resolve({ columns, parameters })),
    } as unknown as pg.Submittable);
  });
}
