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
import { KEPT_FOLDERS, measure, piecesOf } from './kept-files.ts';
import { currentSecretId } from './secret-ids.ts';
import { listSequences, listTables, rowsOf } from './tables.ts';

const HELP = `Usage: stet backup FILE|FOLDER [--force] [--json]

Writes all that an installation is into one file: the database as it was at one moment, the keys, the checkpoints of the
audit trails, and mail that no SMTP server took. It reads the installation of DATABASE_URL, else of DATA_DIR, as npm start
does, whether or not the server runs; nobody has to stop working. In a folder the file is named by the moment.

The file holds the keys of the installation and everything in it: keep it as safe as the installation. Only you may read
it. What was set in the environment is not in it, SECRET_KEY among that.

Options:
  --force     replace a file that is there
  --json      the result as JSON
  -h, --help  show this

Exit codes:
  0  done; the file is whole and on the disk
  1  failed; standard error says why, and there is no new file
  2  the arguments were not understood

Example: stet backup /backups/
`;

export const backup: Command = {
  name: 'backup',
  summary: 'Write an installation into one file, while it runs or not',
  help: HELP,
  options: { force: { type: 'boolean' }, json: { type: 'boolean' } },
  positionals: { min: 1, max: 1 },
  run: async ({ positionals: [target = ''], options }, terminal) => {
    const config = readConfig(terminal.env);
    const file = fileAt(target);
    if (existsSync(file) && options['force'] !== true)
      throw new CommandProblem(`${file} is there already. With --force it is replaced.`);
    const archive = await openArchiveWriter(file, { replace: options['force'] === true });
    try {
      const counts = await withInstallation(config, (client) => writeBackup(client, config, archive));
      const bytes = await archive.finish(counts);
      if (options['json'] === true) await terminal.out(json({ file, bytes, ...counts }));
      else
        terminal.say(
          `${file}: ${counted(counts.rows, 'row')} of ${counted(counts.tables, 'table')}, ${counted(counts.files, 'file')}, ${counted(counts.jobs, 'waiting job')}, ${counted(bytes, 'byte')}.`,
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

/** Writes all that an installation is, as it was at one moment; the archive is still to be finished. */
export async function writeBackup(client: pg.Client, config: Config, archive: ArchiveWriter): Promise<Written> {
  const { dataDir } = config;
  // Checkpoints first, by their length: they only grow, and a checkpoint over events that the snapshot lacks would look
  // like a trail that was cut short.
  const checkpoints = measure(dataDir, 'checkpoints');
  await client.query(`set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'`);
  await client.query('begin isolation level repeatable read, read only');
  const head = await headerOf(client, config);
  await refusePartialSight(client);
  await archive.write(head);

  let files = 0;
  for (const folder of KEPT_FOLDERS) {
    // Keys after the snapshot began: what it has was made with keys that are there by now.
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
  if (!row?.migrated) throw new CommandProblem('There is no installation in this database yet. Start Stet on it once.');
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

/** Refuses where row-level security would hide rows from who reads: a backup without them would look whole. */
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
      `The user of DATABASE_URL may not see all of ${hidden.name}. Use the one that the server works as.`,
    );
}
