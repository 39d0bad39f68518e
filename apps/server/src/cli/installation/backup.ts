import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { type Config, readConfig } from '../../kernel/config.ts';
import { counted, json } from '../client/shown.ts';
import { type Command, CommandProblem } from '../command.ts';
import { withInstallation } from '../installation-database.ts';
import { type ArchiveWriter, openArchiveWriter } from './archive-writer.ts';
import { FORMAT, type Header } from './backup-format.ts';
import { waitingJobs } from './jobs.ts';
import { BACKUP_FOLDERS, measure, piecesOf } from './backup-files.ts';
import { currentSecretId } from './secret-ids.ts';
import { listSequences, listTables, rowsOf } from './tables.ts';

const HELP = `Usage: stet backup FILE|FOLDER [--force] [--json]

Writes a whole installation to one file: a snapshot of the database, the keys, the checkpoints of the audit trails, and
mail that wasn't sent by SMTP. It backs up the installation of DATABASE_URL, or of DATA_DIR if that isn't set, whether or
not the server is running; work can continue. If you give a folder, the file name contains the date and time.

The file contains the keys of the installation and all its data: protect it as you protect the installation. Only you can
read it. Settings from the environment, including SECRET_KEY, are not in it.

Options:
  --force     replace an existing file
  --json      print the result as JSON
  -h, --help  show this help

Exit codes:
  0  done; the complete file is on disk
  1  failed; the reason is on standard error, and no file was created
  2  invalid arguments

Example: stet backup /backups/
`;

export const backup: Command = {
  name: 'backup',
  summary: 'Back up an installation to one file, whether or not it is running',
  help: HELP,
  options: { force: { type: 'boolean' }, json: { type: 'boolean' } },
  positionals: { min: 1, max: 1 },
  run: async ({ positionals: [target = ''], options }, terminal) => {
    const config = readConfig(terminal.env);
    const file = fileAt(target);
    if (existsSync(file) && options['force'] !== true)
      throw new CommandProblem(`${file} already exists. Use --force to replace it.`);
    const archive = await openArchiveWriter(file, { replace: options['force'] === true });
    try {
      const counts = await withInstallation(config, (client) => writeBackup(client, config, archive));
      const bytes = await archive.finish(counts);
      if (options['json'] === true) await terminal.out(json({ file, bytes, ...counts }));
      else
        terminal.say(
          `${file}: ${counted(counts.rows, 'row')} in ${counted(counts.tables, 'table')}, ${counted(counts.files, 'file')}, ${counted(counts.jobs, 'pending job')}, ${counted(bytes, 'byte')}.`,
        );
      return 0;
    } catch (error) {
      await archive.abandon();
      throw error;
    }
  },
};

function fileAt(target: string): string {
  const isFolder = target.endsWith('/') || (existsSync(target) && statSync(target).isDirectory());
  if (!isFolder) return target;
  const moment = new Date().toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
  return join(target, `stet-backup-${moment}.jsonl.gz`);
}

export type Written = { tables: number; rows: number; files: number; jobs: number };

/** Writes a snapshot of an installation to the archive. The caller finishes the archive. */
export async function writeBackup(client: pg.Client, config: Config, archive: ArchiveWriter): Promise<Written> {
  const { dataDir } = config;
  // Checkpoint files are measured before the snapshot. They only grow, and a checkpoint over events that the snapshot
  // lacks would look as if the trail had been truncated.
  const checkpoints = measure(dataDir, 'checkpoints');
  await client.query(`set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'`);
  await client.query('begin isolation level repeatable read, read only');
  const head = await headerOf(client, config);
  await refusePartialSight(client);
  await archive.write(head);

  let files = 0;
  for (const folder of BACKUP_FOLDERS) {
    // Keys are read after the snapshot has begun, so that the backup includes every key that its data needs.
    for (const [path, length] of folder === 'checkpoints' ? checkpoints : measure(dataDir, folder)) {
      for await (const piece of piecesOf(dataDir, path, length)) await archive.write(piece);
      files += 1;
    }
  }
  const tables = await listTables(client);
  let rows = 0;
  for (const table of tables) {
    await archive.write({ type: 'table', name: table.name, columns: table.columns.map(({ name }) => name) });
    for await (const batch of rowsOf(client, table)) {
      await archive.write(...batch);
      rows += batch.length;
    }
  }
  for (const sequence of await listSequences(client)) await archive.write({ type: 'sequence', ...sequence });
  const jobs = await waitingJobs(client);
  for (const job of jobs) await archive.write({ type: 'job', ...job });
  await client.query('commit');
  return { tables: tables.length, rows, files, jobs: jobs.length };
}

async function headerOf(client: pg.Client, config: Config): Promise<Header> {
  const { rows } = await client.query<{ at: Date; postgres: string; migrated: boolean }>(
    `select now() as at, current_setting('server_version') as postgres, to_regclass('stet_migrations') is not null as migrated`,
  );
  const [row] = rows;
  if (!row?.migrated) throw new CommandProblem('This database has no installation yet. Start Stet on it once.');
  const { rows: migrations } = await client.query<Header['migrations'][number]>(
    'select number, name, sha256 from stet_migrations order by number',
  );
  return {
    type: 'header',
    format: FORMAT,
    at: row.at.toISOString(),
    postgres: row.postgres,
    migrations,
    secretKey: config.secretKey === undefined ? 'file' : 'environment',
    secretId: currentSecretId(config),
  };
}

/** Refuses if row-level security hides rows from this role. The backup would be incomplete but look complete. */
async function refusePartialSight(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_roles me on me.rolname = current_user
     where c.relnamespace = current_schema()::regnamespace and c.relrowsecurity and not me.rolsuper and not me.rolbypassrls
       and (c.relforcerowsecurity or c.relowner <> me.oid)
       and not exists (select from pg_policy p where p.polrelid = c.oid and p.polpermissive and me.oid = any (p.polroles)
                         and p.polcmd in ('*', 'r') and pg_get_expr(p.polqual, p.polrelid) = 'true')`,
  );
  const [hidden] = rows;
  if (hidden)
    throw new CommandProblem(
      `The user of DATABASE_URL can't see all of ${hidden.name}. Use the user that the server connects as.`,
    );
}
