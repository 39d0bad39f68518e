import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { startEmbeddedPostgres } from '../../db/embedded/start-embedded-postgres.ts';
import { migrate } from '../../db/migrate.ts';
import { MIGRATIONS_DIRECTORY, readMigrations } from '../../db/migration-files.ts';
import { type Connection, ownerClient } from '../../db/pool.ts';
import { whyUnreachable } from '../../db/unreachable.ts';
import { type Config, readConfig } from '../../kernel/config.ts';
import { counted } from '../client/shown.ts';
import { type Command, CommandProblem, type Terminal, USAGE, textOption } from '../command.ts';
import { checkArchive } from './archive-reader.ts';
import { openArchiveWriter } from './archive-writer.ts';
import { type Written, writeBackup } from './backup.ts';
import { differences, fingerprintOf } from './compare-databases.ts';
import { failedJobs } from './jobs.ts';
import { fill, refuseUsed } from './restore.ts';
import { verifyTrails } from './verify-trails.ts';

const HELP = `Usage: stet move-database --to postgres://USER:PASSWORD@HOST:PORT/DATABASE [--without-given-up]

Moves an installation from its embedded PostgreSQL to your own (version 14 or newer). Stop Stet first. The database in
--to must exist and be empty; its user must own it and be allowed to create roles. Everything is copied in one
transaction. Then both databases are compared table by table, and every audit trail in the new database is
verified.

DATA_DIR is unchanged: it still contains the old database, which you can return to by starting without DATABASE_URL, and
the keys, checkpoints and mail, which Stet continues to use there.

Jobs that failed for good can't be moved: the command refuses to run if there are any, unless you leave them behind.

Options:
  --to URL            the new database
  --without-given-up  leave behind jobs that failed for good
  -h, --help          show this help

Exit codes:
  0   done; standard error shows what to set
  1   failed; the reason is on standard error, and the old database is unchanged
  2   invalid arguments
  75  a server is using the data directory

Example: DATA_DIR=/var/lib/stet stet move-database --to postgres://stet:secret@db.example.internal/stet
`;

const LOWEST_MAJOR = 14;
const quiet = { info() {}, warn() {}, error() {} };

export const moveDatabase: Command = {
  name: 'move-database',
  summary: 'Move an installation from its embedded PostgreSQL to your own',
  help: HELP,
  options: { to: { type: 'string' }, 'without-given-up': { type: 'boolean' } },
  run: async (args, terminal) => {
    const to = targetOf(textOption(args, 'to'));
    const config = readConfig({ ...terminal.env });
    if (config.databaseUrl)
      throw new CommandProblem(
        "DATABASE_URL is set, so Stet doesn't use an embedded database here. Unset it to move the embedded database in DATA_DIR.",
      );
    if (!existsSync(join(config.dataDir, 'postgres', 'PG_VERSION')))
      throw new CommandProblem(`There is no embedded database in ${config.dataDir}. Set DATA_DIR.`);
    await withClient({ connectionString: to.href }, refuseUnfit);
    // Locks the data directory, so that nothing changes during the move.
    const source = await startEmbeddedPostgres({ dataDir: config.dataDir, log: quiet });
    // A move that was killed leaves a complete or partial copy.
    const folder = join(config.dataDir, 'moving');
    rmSync(folder, { recursive: true, force: true });
    try {
      if (args.options['without-given-up'] !== true) await withClient(source.connection, refuseFailedJobs);
      mkdirSync(folder, { mode: 0o700 });
      await move(source.connection, { connectionString: to.href }, config, folder, terminal);
    } finally {
      rmSync(folder, { recursive: true, force: true });
      await source.stop();
    }
    if (to.password !== '') to.password = 'PASSWORD';
    terminal.say(`
Moved. From now on, start Stet with
  DATABASE_URL=${to.href}
  DATA_DIR=${config.dataDir}
(and fill in the password). DATA_DIR is unchanged: keys, checkpoints and mail are there. The old database is still
in ${join(config.dataDir, 'postgres')}; a start without DATABASE_URL would use it again. Delete it once you are sure.`);
    return 0;
  },
};

async function move(
  from: Connection,
  to: Connection,
  config: Config,
  folder: string,
  { say }: Terminal,
): Promise<void> {
  const file = join(folder, 'copy.jsonl.gz');
  say('1 of 4: reading the embedded database …');
  const written = await withClient(from, (client) => archived(client, config, file));
  say(
    `        ${counted(written.rows, 'row')} in ${counted(written.tables, 'table')}, ${counted(written.jobs, 'pending job')}`,
  );
  say('2 of 4: writing to the new database …');
  const { header } = await checkArchive({ file, decryption: null });
  const files = join(folder, 'files');
  mkdirSync(files);
  await fill(to, { file, decryption: null }, header, {
    filesTo: files,
    withJobs: true,
    placeFiles: () => {},
    used: USED,
  });
  say('3 of 4: comparing the databases table by table …');
  const before = await withClient(from, fingerprintOf);
  const after = await withClient(to, fingerprintOf);
  const found = differences(before, after, { outbox: written.jobs });
  if (found.length > 0)
    throw new CommandProblem(`The copy differs from the original; don't use it: ${found.join('; ')}.`);
  say(`        ${counted(before.size, 'table')} identical`);
  say('4 of 4: verifying the audit trails in the new database …');
  await migrate({ connect: () => ownerClient(to), directory: MIGRATIONS_DIRECTORY, log: quiet });
  const { trails, broken } = await verifyTrails(to, config);
  if (broken.length > 0)
    throw new CommandProblem(`Audit trails are broken in the copy; don't use it: ${broken.join('; ')}.`);
  say(`        ${counted(trails, 'trail')} intact`);
}

async function archived(client: pg.Client, config: Config, file: string): Promise<Written> {
  const archive = await openArchiveWriter(file, { replace: false });
  try {
    const written = await writeBackup(client, config, archive);
    await archive.finish(written);
    return written;
  } catch (error) {
    await archive.abandon();
    throw error;
  }
}

async function refuseFailedJobs(client: pg.Client): Promise<void> {
  const failed = await failedJobs(client);
  if (failed.length === 0) return;
  const named = failed.map(({ task, jobs }) => `${jobs} of ${task}`).join(', ');
  throw new CommandProblem(
    `Jobs that failed for good can't be moved: ${named}. Start Stet and run “stet jobs retry”, or leave them behind with --without-given-up.`,
  );
}

const USED = 'The database in --to is not empty. Choose an empty one.';

async function refuseUnfit(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string; number: number }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number`,
  );
  const [row] = rows;
  if (!row || row.number < LOWEST_MAJOR * 10_000)
    throw new CommandProblem(`PostgreSQL ${row?.version} is too old: Stet needs ${LOWEST_MAJOR} or newer.`);
  await refuseUsed(client, readMigrations(MIGRATIONS_DIRECTORY), USED);
}

function targetOf(text: string | null): URL {
  if (text === null || !/^postgres(?:ql)?:\/\//.test(text) || !URL.canParse(text))
    throw new CommandProblem('move-database: --to needs a postgres:// address. See: stet move-database --help', USAGE);
  return new URL(text);
}

async function withClient<T>(connection: Connection, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = ownerClient(connection);
  client.on('error', () => {}); // If the connection is lost, the running query rejects.
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    const why = whyUnreachable(error)
      ?.replaceAll('DATABASE_URL', '--to')
      .replace('the rights needed to start', 'the rights needed');
    throw why ? new CommandProblem(why) : error;
  } finally {
    await client.end().catch(() => {});
  }
}
