import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { claim, identify } from '../../db/embedded/data-directory-lock.ts';
import { startEmbeddedPostgres } from '../../db/embedded/start-embedded-postgres.ts';
import { migrate } from '../../db/migrate.ts';
import { MIGRATIONS_DIRECTORY, readMigrations } from '../../db/migration-files.ts';
import { type Connection, ownerClient } from '../../db/pool.ts';
import { type Config, readConfig } from '../../kernel/config.ts';
import { restoredFile } from '../../modules/audit/note-restore.ts';
import { counted, json } from '../client/shown.ts';
import { type Command, CommandProblem } from '../command.ts';
import { type Archive, checkArchive } from './archive-reader.ts';
import type { Header } from './backup-format.ts';
import { BACKUP_FOLDERS } from './backup-files.ts';
import { knownSecretIds } from './secret-ids.ts';
import { DECRYPTION_OPTIONS, decryptionOf } from './backup-keys.ts';
import { type Loaded, loadBackup } from './load-backup.ts';
import { killChildren, onInterruption } from './interruption.ts';
import { filesInTheWay, placeFiles, placingIsDone } from './place-files.ts';

const HELP = `Usage: stet restore FILE [--passphrase-file FILE | --identity-file FILE] [--without-jobs] [--check] [--json]

Restores a backup into a new installation: into DATA_DIR, which must not have one yet, or into the empty database of
DATABASE_URL. Keys and checkpoints go to DATA_DIR in both cases. The whole file is checked first, and the restore is all
or nothing. Existing data is never replaced: move an old data directory away first.

A server that starts on the copy continues from the backup and sends whatever was still pending. To restore a copy just
for inspection, use --without-jobs: it drops pending jobs, deliveries, Slack messages and digests, turns off all
webhooks and disconnects Slack, in the copy only. Runs and their clocks continue; without SMTP_URL, their emails are
written to files in DATA_DIR/mail.

Options:
  --passphrase-file FILE  the passphrase of an encrypted backup, in the first line of FILE
  --identity-file FILE    the private key of an encrypted backup, as age-keygen writes it
  --without-jobs          a copy for inspection: no pending jobs, webhooks off, Slack disconnected
  --check                 check the file without restoring it
  --json                  print the result as JSON
  -h, --help              show this help

Exit codes:
  0   done
  1   failed; the reason is on standard error, and no installation was created
  2   invalid arguments
  75  a server is using the data directory

Example: DATA_DIR=./restored stet restore /backups/stet-backup-2026-11-20T02-00-00Z.jsonl.gz
`;

const quiet = { info() {}, warn() {}, error() {} };

export const restore: Command = {
  name: 'restore',
  summary: 'Restore a backup into a new installation',
  help: HELP,
  options: {
    ...DECRYPTION_OPTIONS,
    'without-jobs': { type: 'boolean' },
    check: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  positionals: { min: 1, max: 1 },
  run: async (args, terminal) => {
    const { options } = args;
    const [file = ''] = args.positionals;
    const archive = { file, decryption: decryptionOf(args) };
    const { header, end } = await checkArchive(archive);
    refuseUnknownMigrations(header);
    const found = { at: header.at, tables: end.tables, rows: end.rows, files: end.files, jobs: end.jobs };
    if (options['check'] === true) {
      if (options['json'] === true) await terminal.out(json({ file, ...found }));
      else terminal.say(`${file} is complete: ${inWords(found)}, as of ${header.at}.`);
      if (header.secretKey === 'environment') terminal.say(NOT_IN_IT);
      return 0;
    }
    const config = readConfig(terminal.env);
    const loaded = await restoreTo(config, archive, header, options['without-jobs'] !== true);
    if (options['json'] === true) await terminal.out(json({ file, at: header.at, ...loaded }));
    else terminal.say(`Restored as of ${header.at}: ${inWords(loaded)}.`);
    const warning = secretWarning(header, config);
    if (warning) terminal.say(warning);
    return 0;
  },
};

const USED = 'The database in DATABASE_URL is not empty. Restore into an empty one.';
const NOT_IN_IT =
  "SECRET_KEY was set on the server that made the backup, and isn't in the file: start with the same one.";

/** Returns a warning if a server started here wouldn't know the secret of the backup. Otherwise null. */
function secretWarning(header: Header, config: Config): string | null {
  if (header.secretKey === 'environment' && config.secretKey === undefined) return NOT_IN_IT;
  if (!header.secretId || knownSecretIds(config).includes(header.secretId)) return null;
  return (
    "The SECRET_KEY of this environment differs from the backup's: people are signed out, Slack connections can't be read, " +
    'and webhook signatures change. Start with the same one, or set it as SECRET_KEY_PREVIOUS.'
  );
}

const inWords = ({ rows, tables, files, jobs }: Loaded): string =>
  [counted(rows, 'row'), counted(tables, 'table'), counted(files, 'file'), counted(jobs, 'pending job')].join(', ');

function refuseUnknownMigrations({ migrations }: Header): void {
  const known = new Map(readMigrations(MIGRATIONS_DIRECTORY).map((migration) => [migration.number, migration.sha256]));
  const unknown = migrations.find(({ number, sha256 }) => known.get(number) !== sha256);
  if (unknown)
    throw new CommandProblem(
      `The backup has migration ${unknown.name}, which this version of Stet doesn't know. Use the version that made it, or a newer one.`,
    );
}

/**
 * Builds the files and, without `DATABASE_URL`, an embedded database in a separate folder of the data directory. Moves
 * them into place when they are complete. The database is last (with `DATABASE_URL`: its commit), because an
 * installation exists only if it has a database. Until then, an interrupted restore can be repeated.
 */
export async function restoreTo(config: Config, archive: Archive, header: Header, withJobs: boolean): Promise<Loaded> {
  const { dataDir, databaseUrl } = config;
  if (!existsSync(dataDir)) {
    mkdirSync(dataDir, { recursive: true });
    chmodSync(dataDir, 0o711);
  }
  const held = claim(join(dataDir, 'lock'), identify(process.pid) ?? { pid: process.pid, started: '' });
  if (!held.ok)
    throw new CommandProblem(`A Stet server (process ${held.holder.pid}) is using ${dataDir}. Stop it first.`, 75);
  const made = join(dataDir, 'restoring');
  // Retries, because a PostgreSQL process that is still stopping may add files while the folder is being removed.
  const removeMade = (): void => rmSync(made, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  // If the command is interrupted, removes the folder. It contains data and keys, and nobody would look for them there.
  const stop = onInterruption(() => {
    killChildren();
    removeMade();
  });
  try {
    const taken = filesInTheWay(dataDir, databaseUrl ? [] : ['postgres']);
    if (taken)
      throw new CommandProblem(
        `${dataDir} already has an installation (${taken}). Move it away, or set a different DATA_DIR.`,
      );
    removeMade();
    mkdirSync(made);
    chmodSync(made, 0o711);
    const options = { filesTo: made, withJobs };
    const place = (): void => placeFiles(made, dataDir, BACKUP_FOLDERS);
    let loaded: Loaded;
    if (databaseUrl)
      loaded = await fill({ connectionString: databaseUrl }, archive, header, { ...options, placeFiles: place });
    else {
      const unplaced = { ...options, placeFiles: () => {} };
      loaded = await withNewPostgres(made, (connection) => fill(connection, archive, header, unplaced));
      place();
      placeFiles(made, dataDir, ['postgres']);
    }
    writeFileSync(restoredFile(dataDir), `${header.at}\n`, { mode: 0o600 });
    placingIsDone(dataDir);
    return loaded;
  } finally {
    removeMade();
    stop();
    held.release();
  }
}

/** Runs the embedded PostgreSQL of a data directory while `work` runs. */
export async function withNewPostgres<T>(dataDir: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet });
  try {
    return await work(postgres.connection);
  } finally {
    await postgres.stop();
  }
}

/**
 * Creates the schema of a backup in an empty database and loads its content. `used` is the error message for a database
 * that isn't empty.
 */
export async function fill(
  connection: Connection,
  archive: Archive,
  { migrations }: Header,
  { used = USED, ...options }: Parameters<typeof loadBackup>[2] & { used?: string },
): Promise<Loaded> {
  const client = ownerClient(connection);
  client.on('error', () => {}); // If the connection is lost, the running query rejects.
  await client.connect().catch((error: Error) => {
    throw new CommandProblem(`The database is not responding: ${error.message || error.name}`);
  });
  try {
    await refuseUsed(client, migrations, used);
    // The schema is that of the backup. As in any installation, the next start of the server applies later migrations.
    const numbers = new Set(migrations.map(({ number }) => number));
    await migrate({
      connect: () => ownerClient(connection),
      directory: MIGRATIONS_DIRECTORY,
      log: quiet,
      only: numbers,
    });
    return await loadBackup(client, archive, options);
  } finally {
    await client.end();
  }
}

/**
 * Refuses a database that isn't empty. Accepts one with some or all of these migrations and no users, because a failed
 * restore leaves such a database, and a restore can be repeated.
 */
export async function refuseUsed(
  client: pg.Client,
  migrations: readonly { number: number }[],
  sentence: string,
): Promise<void> {
  const { rows } = await client.query<{ n: number; migrated: boolean }>(
    `select count(*)::int as n, bool_or(relname = 'stet_migrations') as migrated from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`,
  );
  if (rows[0]?.n === 0) return;
  const used = new CommandProblem(sentence);
  if (rows[0]?.migrated !== true) throw used;
  const { rows: applied } = await client.query<{ number: number }>('select number from stet_migrations');
  const isSame =
    applied.length <= migrations.length && applied.every(({ number }) => migrations.some((m) => m.number === number));
  const { rows: people } =
    isSame && applied.length > 0 ? await client.query('select 1 from users limit 1') : { rows: [1] };
  if (people.length > 0) throw used;
}
