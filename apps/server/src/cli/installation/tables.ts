import pg from 'pg';
import type { Row } from './backup-format.ts';

/** A table of the schema, with its non-generated columns and their types. */
export type Table = { name: string; columns: { name: string; type: string }[] };

/** Tables that aren't copied, because the migrations write them. */
const NOT_KEPT = ['stet_migrations'];

/** The tables of the schema except `NOT_KEPT`, sorted by name. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name,
            json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence <> 't' and c.relname <> all($1)
     group by c.relname order by c.relname collate "C"`,
    [NOT_KEPT],
  );
  return rows;
}

type Sequence = { name: string; value: string; called: boolean };

export async function listSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname collate "C"`,
  );
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const found = await client.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${pg.escapeIdentifier(name)}`,
    );
    for (const row of found.rows) sequences.push({ name, ...row });
  }
  return sequences;
}

// Reads every value in PostgreSQL's text format.
const asText: pg.CustomTypesConfig = { getTypeParser: (() => (text: string) => text) as never };
const BATCH_BYTES = 4 * 1024 * 1024;
const MAX_ROWS = 5000;

/** The rows of a table in batches of about 4 MiB. Needs a transaction. */
export async function* rowsOf(client: pg.Client, { name, columns }: Table): AsyncGenerator<Row[]> {
  const list = columns.map((column) => pg.escapeIdentifier(column.name)).join(', ');
  await client.query(`declare kept_rows no scroll cursor for select ${list} from ${pg.escapeIdentifier(name)}`);
  // The first batch is small, because a row can have several megabytes.
  for (let size = 16; ;) {
    const text = `fetch forward ${size} from kept_rows`;
    const { rows } = await client.query<Row>({ text, rowMode: 'array', types: asText });
    if (rows.length === 0) break;
    yield rows;
    const average = rows.reduce((sum, row) => sum + bytesOf(row), 0) / rows.length;
    size = Math.max(1, Math.min(MAX_ROWS, Math.floor(BATCH_BYTES / Math.max(average, 1))));
  }
  await client.query('close kept_rows');
}

/** The approximate size of a row, in characters. */
export const bytesOf = (row: Row): number => row.reduce((sum, text) => sum + (text?.length ?? 4), 0);

/** Inserts rows into a table. Each value is parsed according to the type of its column. */
export async function insertRows(client: pg.Client, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  const names = columns.map((column) => pg.escapeIdentifier(column.name)).join(', ');
  const typed = columns.map(({ type }, n) => `c${n}::${type}`).join(', ');
  const lists = columns.map((_, n) => `$${n + 1}::text[]`).join(', ');
  const places = columns.map((_, n) => `c${n}`).join(', ');
  await client.query({
    text: `insert into ${pg.escapeIdentifier(name)} (${names}) overriding system value
           select ${typed} from unnest(${lists}) as r (${places})`,
    values: columns.map((_, n) => rows.map((row) => row[n] ?? null)),
  });
}
