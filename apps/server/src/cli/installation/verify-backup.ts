import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.ts';
import { MIGRATIONS_DIRECTORY } from '../../db/migration-files.ts';
import { type Connection, ownerClient } from '../../db/pool.ts';
import type { Config } from '../../kernel/config.ts';
import { CommandProblem } from '../command.ts';
import { checkArchive } from './archive-reader.ts';
import { restoreTo, withNewPostgres } from './restore.ts';
import { listTables } from './tables.ts';
import { verifyTrails } from './verify-trails.ts';

const quiet = { info() {}, warn() {}, error() {} };

/**
 * Restores a backup to a temporary folder with an embedded PostgreSQL, counts its rows, verifies all its audit trails
 * with its keys and checkpoints, and removes the folder. Rejects with the reason if the backup can't be used.
 */
export async function verifyBackup(file: string, config: Config): Promise<{ trails: number }> {
  const { header, end } = await checkArchive(file);
  const scratch = mkdtempSync(join(tmpdir(), 'stet-verify-'));
  // As root, the embedded PostgreSQL runs under another account, which has to reach its own folder.
  chmodSync(scratch, 0o711);
  const copy = { ...config, dataDir: scratch, databaseUrl: undefined, databaseAdminUrl: undefined };
  try {
    await restoreTo(copy, file, header, true);
    return await withNewPostgres(scratch, async (connection) => {
      const rows = await countRows(connection);
      if (rows !== end.rows + end.jobs)
        throw new CommandProblem(
          `The backup can't be used: its copy has ${rows} rows instead of ${end.rows + end.jobs}.`,
        );
      await migrate({ connect: () => ownerClient(connection), directory: MIGRATIONS_DIRECTORY, log: quiet });
      const { trails, broken } = await verifyTrails(connection, copy);
      if (broken.length > 0) throw new CommandProblem(`Audit trails are broken in the backup: ${broken.join('; ')}.`);
      return { trails };
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function countRows(connection: Connection): Promise<number> {
  const client = ownerClient(connection);
  await client.connect();
  try {
    let rows = 0;
    for (const { name } of await listTables(client)) {
      const { rows: counted } = await client.query<{ n: string }>(
        `select count(*) as n from ${client.escapeIdentifier(name)}`,
      );
      rows += Number(counted[0]?.n);
    }
    return rows;
  } finally {
    await client.end();
  }
}
