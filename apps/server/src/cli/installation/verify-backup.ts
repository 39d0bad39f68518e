import { migrate } from '../../db/migrate.ts';
import { MIGRATIONS_DIRECTORY } from '../../db/migration-files.ts';
import { type Connection, ownerClient } from '../../db/pool.ts';
import type { Config } from '../../kernel/config.ts';
import { CommandProblem } from '../command.ts';
import { type Archive, checkArchive, readArchive } from './archive-reader.ts';
import { restoreTo, withNewPostgres } from './restore.ts';
import { withScratchFolder } from './scratch-folder.ts';
import { listTables } from './tables.ts';
import { verifyFiles } from './verify-files.ts';
import { verifyTrails } from './verify-trails.ts';

/** Maximum number of files named in a message. */
const SHOWN = 20;

const quiet = { info() {}, warn() {}, error() {} };

/**
 * Restores a backup to a temporary folder with an embedded PostgreSQL. Counts its rows, verifies all its audit trails
 * with its keys and checkpoints, and checks all files that the trails name. Then removes the folder. Rejects with the
 * reason if the backup can't be used.
 */
export async function verifyBackup(archive: Archive, config: Config): Promise<{ trails: number; evidence: number }> {
  const { header } = await checkArchive(archive);
  const archived = await countArchived(archive);
  return withScratchFolder(async (scratch) => {
    const copy = { ...config, dataDir: scratch, databaseUrl: undefined, databaseAdminUrl: undefined };
    await restoreTo(copy, archive, header, true);
    return await withNewPostgres(scratch, async (connection) => {
      const differing = (await countRows(connection)).filter(({ name, rows }) => rows !== (archived.get(name) ?? 0));
      if (differing.length > 0)
        throw new CommandProblem(
          `The backup can't be used: its copy has a different number of rows in ${differing.map(({ name }) => name).join(', ')}.`,
        );
      await migrate({ connect: () => ownerClient(connection), directory: MIGRATIONS_DIRECTORY, log: quiet });
      const { trails, broken } = await verifyTrails(connection, copy);
      if (broken.length > 0) throw new CommandProblem(`Audit trails are broken in the backup: ${broken.join('; ')}.`);
      const { files, problems } = await verifyFiles(connection);
      if (problems.length > 0)
        throw new CommandProblem(
          `Files in the backup differ from the audit trail's records: ${problems.slice(0, SHOWN).join('; ')}.`,
        );
      return { trails, evidence: files };
    });
  });
}

/** The expected number of rows of each table after a restore, which puts pending jobs into the outbox. */
async function countArchived(archive: Archive): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const add = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  let table = '';
  for await (const line of readArchive(archive)) {
    if (Array.isArray(line)) add(table);
    else if (line.type === 'table') table = line.name;
    else if (line.type === 'job') add('outbox');
  }
  return counts;
}

/** Counts the rows of all tables, except tables that PostgreSQL empties after an unclean shutdown. */
async function countRows(connection: Connection): Promise<{ name: string; rows: number }[]> {
  const client = ownerClient(connection);
  await client.connect();
  try {
    const { rows: unlogged } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relpersistence = 'u' and relkind = 'r'`,
    );
    const counts = [];
    for (const { name } of await listTables(client)) {
      if (unlogged.some((table) => table.name === name)) continue;
      const { rows } = await client.query<{ n: string }>(`select count(*) as n from ${client.escapeIdentifier(name)}`);
      counts.push({ name, rows: Number(rows[0]?.n) });
    }
    return counts;
  } finally {
    await client.end();
  }
}
