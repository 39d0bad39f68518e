import pg from 'pg';
import { CommandProblem } from '../command.ts';
import { type Archive, readArchive } from './archive-reader.ts';
import type { Row } from './backup-format.ts';
import { type WaitingJob, enqueueWaitingJobs } from './jobs.ts';
import { silence } from './silence-copy.ts';
import { putPiece } from './backup-files.ts';
import { type Table, bytesOf, insertRows, listTables } from './tables.ts';

const BATCH_BYTES = 1024 * 1024;
const BATCH_ROWS = 1000;
const JOBS_AT_ONCE = 1000;

export type Loaded = { tables: number; rows: number; files: number; jobs: number };

/**
 * Loads a checked archive, in one transaction, into a database that already has the schema of its migrations. The files
 * are written below `filesTo`, and `placeFiles` moves them from there before the commit. Foreign keys are added after
 * the rows, so that PostgreSQL checks that their targets exist.
 */
export async function loadBackup(
  client: pg.Client,
  archive: Archive,
  { filesTo, withJobs, placeFiles }: { filesTo: string; withJobs: boolean; placeFiles: () => void },
): Promise<Loaded> {
  await client.query(`set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'`);
  await client.query('begin');
  const tables = await listTables(client);
  const byName = new Map(tables.map((table) => [table.name, table]));
  const foreignKeys = await listForeignKeys(client);
  const quoted = tables.map(({ name }) => pg.escapeIdentifier(name));
  // Triggers are off, because the stored rows already include their effects.
  for (const name of quoted) await client.query(`alter table ${name} disable trigger user`);
  for (const { table, name } of foreignKeys) await client.query(`alter table ${table} drop constraint ${name}`);
  await client.query(`truncate ${quoted.join(', ')}`);

  const files = new Set<string>();
  const counts = { tables: 0, rows: 0, jobs: 0 };
  let table: Table | null = null;
  let rows: Row[] = [];
  let size = 0;
  let jobs: WaitingJob[] = [];
  const flush = async (): Promise<void> => {
    if (table && rows.length > 0) await insertRows(client, table, rows);
    counts.rows += rows.length;
    [rows, size] = [[], 0];
    if (jobs.length > 0) await enqueueWaitingJobs(client, jobs);
    counts.jobs += jobs.length;
    jobs = [];
  };
  for await (const line of readArchive(archive)) {
    if (Array.isArray(line)) {
      rows.push(line);
      size += bytesOf(line);
      if (size > BATCH_BYTES || rows.length === BATCH_ROWS) await flush();
      continue;
    }
    switch (line.type) {
      case 'file':
        putPiece(filesTo, line);
        files.add(line.path);
        break;
      case 'table':
        await flush();
        table = columnsAsStored(byName.get(line.name), line);
        counts.tables += 1;
        break;
      case 'sequence':
        await flush();
        await client.query('select setval($1::regclass, $2::bigint, $3)', [
          pg.escapeIdentifier(line.name),
          line.value,
          line.called,
        ]);
        break;
      case 'job':
        if (!withJobs) break;
        jobs.push(line);
        if (jobs.length === JOBS_AT_ONCE) await flush();
        break;
      case 'header':
      case 'end':
        await flush();
    }
  }
  if (!withJobs) await silence(client, new Set(byName.keys()));
  for (const { table: of, name, definition } of foreignKeys)
    await client.query(`alter table ${of} add constraint ${name} ${definition}`);
  for (const name of quoted) await client.query(`alter table ${name} enable trigger user`);
  placeFiles();
  await client.query('commit');
  await client.query('analyze');
  return { ...counts, files: files.size };
}

/** The columns of the table that are in the archive, in the archive's order. Refuses columns that the table lacks. */
function columnsAsStored(table: Table | undefined, { name, columns }: { name: string; columns: string[] }): Table {
  const types = new Map(table?.columns.map((column) => [column.name, column]));
  return {
    name,
    columns: columns.map((column) => {
      const found = types.get(column);
      if (!found) throw new CommandProblem(`The backup has ${name}.${column}, which its own migrations don’t create.`);
      return found;
    }),
  };
}

type ForeignKey = { table: string; name: string; definition: string };

async function listForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select quote_ident(c.relname) as table, quote_ident(k.conname) as name, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype = 'f' and k.conparentid = 0 and c.relnamespace = current_schema()::regnamespace order by k.oid`,
  );
  return rows;
}
