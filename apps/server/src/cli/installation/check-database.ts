import type pg from 'pg';
import { MIGRATIONS_DIRECTORY, MigrationProblem, findPending } from '../../db/migrate.ts';
import { readMigrations } from '../../db/migration-files.ts';
import type { Config } from '../../kernel/config.ts';
import { checkSealed } from './secret-ids.ts';
import { type Finding, failure, fine, warning } from './finding.ts';

const LOWEST_MAJOR = 14;
/** Sessions and links are judged by the clock of the process, due times by that of the database. */
const TOLERATED_MS = 2_000;
const HARMFUL_MS = 60_000;
const LATE_SECONDS = 120;

/** The database of an installation: version, schema, rights, clock, job queue, and whether what is sealed in it can be opened. */
export async function checkDatabase(client: pg.Client, config: Config): Promise<Finding[]> {
  const { rows } = await client.query<{ version: string; number: number; migrated: boolean }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
            to_regclass('stet_migrations') is not null as migrated`,
  );
  const [row] = rows;
  if (!row) throw new Error('a select without from has one row');
  const major = Math.floor(row.number / 10_000);
  const version =
    major >= LOWEST_MAJOR
      ? fine('database', `PostgreSQL ${row.version} answers.`)
      : failure('database', `PostgreSQL ${row.version} is too old: Stet needs ${LOWEST_MAJOR} or newer.`);
  if (!row.migrated) return [version, failure('migrations', 'The database is empty. Start Stet on it once.')];
  const migrations = await checkMigrations(client);
  return [
    version,
    migrations,
    await checkRights(client),
    await checkClock(client),
    ...(await checkJobs(client)),
    ...(migrations.state === 'ok' ? await checkSealed(client, config) : []),
  ];
}

async function checkMigrations(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<Parameters<typeof findPending>[1][number]>(
    'select number, name, sha256 from stet_migrations order by number',
  );
  try {
    const pending = findPending(readMigrations(MIGRATIONS_DIRECTORY), rows);
    if (pending.length === 0) return fine('migrations', `All ${rows.length} are applied.`);
    return warning(
      'migrations',
      `${pending.length} wait for the next start: ${pending.map(({ name }) => name).join(', ')}.`,
    );
  } catch (error) {
    if (!(error instanceof MigrationProblem)) throw error;
    return failure('migrations', error.message);
  }
}

/** The server works as `stet_app`, which sees one organization at a time. */
async function checkRights(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ role: boolean; member: boolean; strong: boolean; open: string[] }>(
    `select app.oid is not null as role,
            app.oid is not null and pg_has_role(current_user, app.oid, 'member') as member,
            coalesce(app.rolsuper or app.rolbypassrls, false) as strong,
            array(select c.relname::text from pg_class c
                  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
                    and not (c.relrowsecurity and c.relforcerowsecurity)
                    and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped)
                  order by 1) as open
     from (select 1) one left join pg_roles app on app.rolname = 'stet_app'`,
  );
  const [row] = rows;
  if (!row?.role)
    return failure('rights', 'The role stet_app is missing. Start Stet with a user that may create roles.');
  if (!row.member)
    return failure('rights', 'The user of the database may not become stet_app. Grant it: grant stet_app to …');
  if (row.strong)
    return failure('rights', 'stet_app is a superuser or bypasses row-level security: take that from it.');
  if (row.open.length > 0)
    return failure(
      'rights',
      `Row-level security is off for ${row.open.join(', ')}: one organization could see another.`,
    );
  return fine('rights', 'The server sees one organization at a time.');
}

async function checkClock(client: pg.Client): Promise<Finding> {
  const before = Date.now();
  const { rows } = await client.query<{ now: string }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::text as now',
  );
  // Of the time that the question took, nobody knows on which way it went.
  return clockFinding(Number(rows[0]?.now) - before, Date.now() - before);
}

/** @param apart milliseconds by which the database was ahead when it answered, at the beginning of a trip of `tripMs` */
export function clockFinding(apart: number, tripMs: number): Finding {
  const ms = apart < 0 ? -apart : Math.max(0, apart - tripMs);
  const sentence = `The clocks of this machine and of the database are ${(ms / 1000).toFixed(1)} s apart`;
  if (ms > HARMFUL_MS) return failure('clock', `${sentence}: set them by a time server.`);
  if (ms > TOLERATED_MS) return warning('clock', `${sentence}; a time server keeps them together.`);
  return fine('clock', 'The clocks of this machine and of the database agree.');
}

/** Work that should be done by now, and work that was given up. */
async function checkJobs(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ late: number; queue: boolean }>(
    `select coalesce(extract(epoch from clock_timestamp() - min(run_at)), 0)::float8 as late, to_regclass('graphile_worker._private_jobs') is not null as queue
     from outbox where run_at <= clock_timestamp()`,
  );
  const findings: Finding[] = [];
  const late = rows[0]?.late ?? 0;
  if (late > LATE_SECONDS)
    findings.push(warning('jobs', `Work has waited for ${Math.round(late / 60)} minutes. Does a server run?`));
  if (rows[0]?.queue === true) {
    const { rows: given } = await client.query<{ task: string; n: number; error: string | null }>(
      `select t.identifier as task, count(*)::int as n, max(j.last_error) as error
       from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where j.attempts >= j.max_attempts group by 1 order by 1`,
    );
    for (const { task, n, error } of given)
      findings.push(
        warning(
          'jobs',
          `${n} of ${task} ${n === 1 ? 'was' : 'were'} given up: ${(error ?? 'no reason was kept').split('\n', 1)[0]}. Run again: stet jobs retry ${task}`,
        ),
      );
  }
  return findings.length > 0 ? findings : [fine('jobs', 'Nothing waits longer than it should.')];
}
