import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { claim, identify } from '../../db/embedded/data-directory-lock.ts';
import { startEmbeddedPostgres } from '../../db/embedded/start-embedded-postgres.ts';
import { MIGRATIONS_DIRECTORY, migrate } from '../../db/migrate.ts';
import { readMigrations } from '../../db/migration-files.ts';
import { type Connection, ownerClient } from '../../db/pool.ts';
import { type Config, readConfig } from '../../kernel/config.ts';
import { counted, json } from '../client/shown.ts';
import { type Command, CommandProblem } from '../command.ts';
import { checkArchive } from './archive-reader.ts';
import type { Header } from './backup-format.ts';
import { KEPT_FOLDERS } from './kept-files.ts';
import { knownSecretIds } from './secret-ids.ts';
import { type Loaded, loadBackup } from './load-backup.ts';
import { filesInTheWay, placeFiles, placingIsDone } from './place-files.ts';

const HELP = `Usage: stet restore FILE [--without-jobs] [--check] [--json]

Makes an installation of a backup: in DATA_DIR, which has none yet, or in the database of DATABASE_URL, which is empty; the
keys and checkpoints go to DATA_DIR in both cases. The whole file is checked first, and the installation is there when all
of it is there, or not at all. Nothing that exists is replaced: move an old data directory away first.

A server that starts on the copy goes on where the backup was made: it sends what was still to be sent. For a copy to
look at, leave that out by --without-jobs: waiting jobs, deliveries, Slack messages and digests are dropped, all webhooks
are switched off, and Slack is disconnected, here alone. Runs and their clocks go on: without SMTP_URL their mails become
files in DATA_DIR/mail.

Options:
  --without-jobs  a copy to look at: what waited is dropped, webhooks and Slack are off
  --check         check the file, restore nothing
  --json          the result as JSON
  -h, --help      show this

Exit codes:
  0   done
  1   failed; standard error says why, and there is no installation that was not there before
  2   the arguments were not understood
  75  a server uses the data directory

Example: DATA_DIR=./restored stet restore /backups/stet-backup-2026-11-20T02-00-00Z.jsonl.gz
`;

const quiet = { info() {}, warn() {}, error() {} };

export const restore: Command = {
  name: 'restore',
  summary: 'Make an installation of a backup',
  help: HELP,
  options: { 'without-jobs': { type: 'boolean' }, check: { type: 'boolean' }, json: { type: 'boolean' } },
  positionals: { min: 1, max: 1 },
  run: async ({ positionals: [file = ''], options }, terminal) => {
    const { header, end } = await checkArchive(file);
    refuseUnknownMigrations(header);
    const found = { at: header.at, tables: end.tables, rows: end.rows, files: end.files, jobs: end.jobs };
    if (options['check'] === true) {
      if (options['json'] === true) await terminal.out(json({ file, ...found }));
      else terminal.say(`${file} is whole: ${inWords(found)}, as of ${header.at}.`);
      if (header.secretKey === 'environment') terminal.say(NOT_IN_IT);
      return 0;
    }
    const config = readConfig(terminal.env);
    const loaded = await restoreTo(config, file, header, options['without-jobs'] !== true);
    if (options['json'] === true) await terminal.out(json({ file, at: header.at, ...loaded }));
    else terminal.say(`Restored as of ${header.at}: ${inWords(loaded)}.`);
    const warning = secretWarning(header, config);
    if (warning) terminal.say(warning);
    return 0;
  },
};

const USED = 'The database of DATABASE_URL is not empty. Restore into an empty one.';
const NOT_IN_IT = 'SECRET_KEY was set where the backup was made, and is not in it: start with the same one.';

/** What goes wrong when a server starts here with another secret than the one that the backup was made under; else null. */
function secretWarning(header: Header, config: Config): string | null {
  if (header.secretKey === 'environment' && config.secretKey === undefined) return NOT_IN_IT;
  if (!header.secretId || knownSecretIds(config).includes(header.secretId)) return null;
  return (
    'The SECRET_KEY of this environment is not the one of the backup: people are signed out, connections to Slack can’t be read, ' +
    'and webhooks are signed otherwise. Start with the same one, or name it in SECRET_KEY_PREVIOUS.'
  );
}

const inWords = ({ rows, tables, files, jobs }: Loaded): string =>
  [counted(rows, 'row'), counted(tables, 'table'), counted(files, 'file'), counted(jobs, 'waiting job')].join(', ');

function refuseUnknownMigrations({ migrations }: Header): void {
  const known = new Map(readMigrations(MIGRATIONS_DIRECTORY).map((migration) => [migration.number, migration.sha256]));
  const unknown = migrations.find(({ number, sha256 }) => known.get(number) !== sha256);
  if (unknown)
    throw new CommandProblem(
      `The backup has migration ${unknown.name}, which this version of Stet does not know. Use the version that made it, or a newer one.`,
    );
}

/**
 * Everything is made in a folder of its own within the data directory, and moved to its place when whole; the database,
 * which makes it an installation, last. Until that is there, a restore that was broken off can be begun again.
 */
async function restoreTo(config: Config, file: string, header: Header, withJobs: boolean): Promise<Loaded> {
  const { dataDir, databaseUrl } = config;
  if (!existsSync(dataDir)) {
    mkdirSync(dataDir, { recursive: true });
    chmodSync(dataDir, 0o711);
  }
  const held = claim(join(dataDir, 'lock'), identify(process.pid) ?? { pid: process.pid, started: '' });
  if (!held.ok)
    throw new CommandProblem(`A Stet server (process ${held.holder.pid}) uses ${dataDir}. Stop it first.`, 75);
  const made = join(dataDir, 'restoring');
  try {
    const taken = filesInTheWay(dataDir, databaseUrl ? [] : ['postgres']);
    if (taken)
      throw new CommandProblem(
        `There is an installation in ${dataDir} (${taken}). Move it away, or set another DATA_DIR.`,
      );
    rmSync(made, { recursive: true, force: true });
    mkdirSync(made);
    chmodSync(made, 0o711);
    const options = { filesTo: made, withJobs };
    const place = (): void => placeFiles(made, dataDir, KEPT_FOLDERS);
    let loaded: Loaded;
    if (databaseUrl)
      loaded = await fill({ connectionString: databaseUrl }, file, header, { ...options, placeFiles: place });
    else {
      const unplaced = { ...options, placeFiles: () => {} };
      loaded = await withNewPostgres(made, (connection) => fill(connection, file, header, unplaced));
      place();
      placeFiles(made, dataDir, ['postgres']);
    }
    placingIsDone(dataDir);
    return loaded;
  } finally {
    rmSync(made, { recursive: true, force: true });
    held.release();
  }
}

async function withNewPostgres<T>(dataDir: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet });
  try {
    return await work(postgres.connection);
  } finally {
    await postgres.stop();
  }
}

/** Makes the schema of a backup in an empty database and puts its content there; `used` is said of one that isn't empty. */
export async function fill(
  connection: Connection,
  file: string,
  { migrations }: Header,
  { used = USED, ...options }: Parameters<typeof loadBackup>[2] & { used?: string },
): Promise<Loaded> {
  const client = ownerClient(connection);
  client.on('error', () => {}); // A lost connection rejects the query under way.
  await client.connect().catch((error: Error) => {
    throw new CommandProblem(`The database does not answer: ${error.message || error.name}`);
  });
  try {
    await refuseUsed(client, migrations, used);
    // The schema as the backup has it; what came later is for the start of a server, as on any installation.
    const numbers = new Set(migrations.map(({ number }) => number));
    await migrate({
      connect: () => ownerClient(connection),
      directory: MIGRATIONS_DIRECTORY,
      log: quiet,
      only: numbers,
    });
    return await loadBackup(client, file, options);
  } finally {
    await client.end();
  }
}

/** A schema without people is what a restore that failed leaves behind; it may be tried again. */
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
