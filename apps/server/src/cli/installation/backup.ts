import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type pg from 'pg';
import { type Config, readConfig } from '../../kernel/config.ts';
import { counted, json } from '../client/shown.ts';
import { saveLastBackup } from '../../kernel/last-backup.ts';
import { type Arguments, type Command, CommandProblem, type Terminal, USAGE, textOption } from '../command.ts';
import { withInstallation } from '../installation-database.ts';
import { type ArchiveWriter, openArchiveWriter } from './archive-writer.ts';
import type { Encryption } from './age.ts';
import { FORMAT, type Header } from './backup-format.ts';
import { ENCRYPTION_OPTIONS, decryptionOf, encryptionOf } from './backup-keys.ts';
import { waitingJobs } from './jobs.ts';
import { BACKUP_FOLDERS, measure, piecesOf } from './backup-files.ts';
import { currentSecretId } from './secret-ids.ts';
import { listSequences, listTables, rowsOf } from './tables.ts';
import { verifyBackup } from './verify-backup.ts';

const HELP = `Usage: stet backup FILE|FOLDER [--passphrase-file FILE | --recipient KEY…] [--verify] [--keep N] [--force] [--json]

Writes a whole installation to one file: a snapshot of the database, the keys, the checkpoints of the audit trails, and
mail that wasn't sent by SMTP. It backs up the installation of DATABASE_URL, or of DATA_DIR if that isn't set, whether or
not the server is running; work can continue. If you give a folder, the file name contains the date and time.

The file contains the keys of the installation and all its data: protect it as you protect the installation. Only you can
read it. Settings from the environment, including SECRET_KEY, are not in it.

With --passphrase-file, the backup is encrypted in the format of age, with the first line of FILE as its passphrase. With
--recipient, it is encrypted for a public key of age, so that this machine can't decrypt its own backups. Without the
passphrase or the private key, nobody can read the backup: keep a copy of the passphrase or key, but not with the backups.

With --verify, the new backup is then restored to a temporary folder with an embedded PostgreSQL, its rows are counted,
its audit trails and the files that they name are verified, and the folder is removed. This needs as much space in TMPDIR as the database has.

How the last backup ended is shown by stet doctor and in the server's metrics.

Options:
  --passphrase-file FILE  encrypt the backup with a passphrase
  --recipient KEY         encrypt the backup for the owner of this key (age1…); several are possible
  --identity-file FILE    the private key that --verify needs after --recipient
  --verify                also restore and verify the backup
  --keep N                then delete all but the N newest backups in FOLDER, and unfinished ones that are older than a
                          day; nothing is deleted if anything fails
  --force                 replace an existing file
  --json                  print the result as JSON
  -h, --help              show this help

Exit codes:
  0  done; the complete file is on disk
  1  failed; the reason is on standard error. No file was created, unless it could not be verified: then it is kept,
     so that you can find out why
  2  invalid arguments

Example: stet backup /backups/ --verify --keep 14
`;

export const backup: Command = {
  name: 'backup',
  summary: 'Back up an installation to one file, whether or not it is running',
  help: HELP,
  options: {
    ...ENCRYPTION_OPTIONS,
    verify: { type: 'boolean' },
    keep: { type: 'string' },
    force: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  positionals: { min: 1, max: 1 },
  run: async (args, terminal) => {
    const { options } = args;
    const [target = ''] = args.positionals;
    const config = readConfig(terminal.env);
    const remaining = countToKeep(args, target);
    refuseUselessKeys(args);
    const file = fileAt(target, options['passphrase-file'] !== undefined || options['recipient'] !== undefined);
    if (existsSync(file) && options['force'] !== true)
      throw new CommandProblem(`${file} already exists. Use --force to replace it.`);
    try {
      const encryption = encryptionOf(args);
      const decryption = decryptionOf(args);
      const { at, bytes, ...counts } = await createBackup(config, { file, encryption }, options['force'] === true);
      const verified = options['verify'] === true ? await verifyBackup({ file, decryption }, config) : null;
      const deleted = remaining === null ? [] : deleteOldBackups(dirname(file), remaining);
      record(terminal, config, { success: { at, file: resolve(file), bytes, verified: verified !== null } });
      if (options['json'] === true)
        await terminal.out(
          json({
            file,
            bytes,
            ...counts,
            ...(verified && { verifiedTrails: verified.trails, verifiedFiles: verified.evidence }),
            deleted,
          }),
        );
      else {
        terminal.say(
          `${file}: ${counted(counts.rows, 'row')} in ${counted(counts.tables, 'table')}, ${counted(counts.files, 'file')}, ${counted(counts.jobs, 'pending job')}, ${counted(bytes, 'byte')}.`,
        );
        if (verified)
          terminal.say(
            `Restored, counted and removed again; ${counted(verified.trails, 'trail')} and ${counted(verified.evidence, 'attached file')} intact.`,
          );
        for (const name of deleted) terminal.say(`Deleted ${name}.`);
      }
      return 0;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      record(terminal, config, { failure: { at: new Date().toISOString(), problem } });
      throw error;
    }
  },
};

async function createBackup(
  config: Config,
  { file, encryption }: { file: string; encryption: Encryption | null },
  replace: boolean,
): Promise<Written & { at: string; bytes: number }> {
  const archive = await openArchiveWriter(file, { replace, encryption });
  try {
    const at = new Date().toISOString();
    const written = await withInstallation(config, (client) => writeBackup(client, config, archive));
    return { at, bytes: await archive.finish(written), ...written };
  } catch (error) {
    await archive.abandon();
    throw error;
  }
}

/** Records the outcome for doctor and metrics. If this isn't possible, the backup is still valid. */
function record(terminal: Terminal, { dataDir }: Config, outcome: Parameters<typeof saveLastBackup>[1]): void {
  try {
    saveLastBackup(dataDir, outcome);
  } catch (error) {
    terminal.say(`The outcome could not be recorded for stet doctor and the metrics: ${String(error)}`);
  }
}

/** Refuses a combination of keys with which the backup would not be encrypted or could not be verified. */
function refuseUselessKeys({ options }: Arguments): void {
  const isForKey = options['recipient'] !== undefined;
  const hasIdentity = options['identity-file'] !== undefined;
  if (hasIdentity && !isForKey)
    throw new CommandProblem('backup: --identity-file only decrypts. To encrypt for a key, use --recipient.', USAGE);
  if (isForKey && options['verify'] === true && !hasIdentity)
    throw new CommandProblem(
      'backup: --verify must decrypt the backup, and needs the private key: use --identity-file.',
      USAGE,
    );
}

/** The number of backups to keep. Null if all are kept. */
function countToKeep(args: Arguments, target: string): number | null {
  const given = textOption(args, 'keep');
  if (given === null) return null;
  if (!/^[1-9]\d{0,4}$/.test(given)) throw new CommandProblem('backup: --keep must be 1 or more.', USAGE);
  if (!isFolder(target))
    throw new CommandProblem('backup: --keep needs a folder, because the names of its backups show their age.', USAGE);
  return Number(given);
}

const NAME = /^stet-backup-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.jsonl\.gz(?:\.age)?$/;

/** Matches an unfinished backup. One that is older than a day was left by a killed process. */
const UNFINISHED = /^(stet-backup-[\dTZ-]{20}\.jsonl\.gz)(?:\.age)?\.[\da-f]+\.unfinished$/;
const DAY_MS = 86_400_000;

/**
 * Deletes all but the `count` newest backups of a folder, by the time in their names, and unfinished backups that are
 * older than a day. Returns the deleted names, oldest first.
 */
function deleteOldBackups(folder: string, count: number): string[] {
  const names = readdirSync(folder).toSorted();
  const backups = names.filter((name) => NAME.test(name));
  const old = backups.slice(0, Math.max(0, backups.length - count));
  const yesterday = nameAt(Date.now() - DAY_MS);
  const unfinished = names.filter((name) => (UNFINISHED.exec(name)?.[1] ?? yesterday) < yesterday);
  const deleted = [...old, ...unfinished].toSorted();
  for (const name of deleted) rmSync(join(folder, name));
  return deleted;
}

const isFolder = (target: string): boolean =>
  target.endsWith('/') || (existsSync(target) && statSync(target).isDirectory());

function fileAt(target: string, isEncrypted: boolean): string {
  if (!isFolder(target)) return target;
  return join(target, `${nameAt(Date.now())}${isEncrypted ? '.age' : ''}`);
}

/** @param moment milliseconds since 1970 */
const nameAt = (moment: number): string =>
  `stet-backup-${new Date(moment).toISOString().replace(/\.\d+/, '').replaceAll(':', '-')}.jsonl.gz`;

export type Written = { tables: number; rows: number; files: number; jobs: number };

/** Writes a snapshot of an installation to the archive. The caller finishes the archive. */
export async function writeBackup(client: pg.Client, config: Config, archive: ArchiveWriter): Promise<Written> {
  const { dataDir } = config;
  // Checkpoint files only grow, so they are measured before the snapshot. If the backup had a checkpoint over events
  // that the snapshot lacks, the trail would seem to be truncated.
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

/**
 * Refuses if row-level security hides rows from this role, because the backup would be incomplete but look complete.
 */
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
