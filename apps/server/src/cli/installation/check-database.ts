import type pg from 'pg';
import { MigrationProblem, findPending } from '../../db/migrate.ts';
import { MIGRATIONS_DIRECTORY, readMigrations } from '../../db/migration-files.ts';
import type { Config } from '../../kernel/config.ts';
import { checkSealed } from './secret-ids.ts';
import { type Finding, failure, fine, warning } from './finding.ts';
import { QUEUE_JOBS, QUEUE_JOBS_AND_TASKS } from '../../db/queue-tables.ts';

const LOWEST_MAJOR = 14;
/** Tolerated difference of the clocks. Some times are measured with the process's clock, others with the database's. */
const TOLERATED_MS = 2_000;
const HARMFUL_MS = 60_000;
const LATE_SECONDS = 120;

/**
 * Checks the database of an installation: its version, migrations, rights, clock and jobs. If all migrations have been
 * applied, also checks the audit trails, and whether the tokens of Slack connections can be opened.
 */
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
      ? fine('database', `PostgreSQL ${row.version} is responding.`)
      : failure('database', `PostgreSQL ${row.version} is too old: Stet needs ${LOWEST_MAJOR} or newer.`);
  if (!row.migrated) return [version, failure('migrations', 'The database is empty. Start Stet on it once.')];
  const migrations = await checkMigrations(client);
  return [
    version,
    migrations,
    await checkRights(client, config),
    await checkClock(client),
    ...(await checkJobs(client)),
    ...(migrations.state === 'ok' ? [await checkTrails(client), ...(await checkSealed(client, config))] : []),
  ];
}

/** True if a server has already recorded audit events. */
export async function hasTrails(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('audit_heads') is not null as there`);
  if (rows[0]?.there !== true) return false;
  const { rowCount } = await client.query('select from audit_heads where seq > 0 limit 1');
  return rowCount === 1;
}

async function checkMigrations(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<Parameters<typeof findPending>[1][number]>(
    'select number, name, sha256 from stet_migrations order by number',
  );
  try {
    const pending = findPending(readMigrations(MIGRATIONS_DIRECTORY), rows);
    if (pending.length === 0) return fine('migrations', `All ${rows.length} have been applied.`);
    return warning(
      'migrations',
      `${pending.length} will be applied at the next start: ${pending.map(({ name }) => name).join(', ')}.`,
    );
  } catch (error) {
    if (!(error instanceof MigrationProblem)) throw error;
    return failure('migrations', error.message);
  }
}

/**
 * Checks that the server can work as `stet_app`, that this role sees only one organization at a time, and that the
 * server's own user is no superuser.
 */
async function checkRights(client: pg.Client, { databaseUrl }: Config): Promise<Finding> {
  const { rows } = await client.query<{
    role: boolean;
    member: boolean;
    strong: boolean;
    superuser: boolean;
    open: string[];
  }>(
    `select app.oid is not null as role,
            app.oid is not null and pg_has_role(current_user, app.oid, 'member') as member,
            coalesce(app.rolsuper or app.rolbypassrls, false) as strong,
            -- An external database: is our user a superuser? The embedded one: can stet_server become a superuser?
            case when $1 then (select rolsuper from pg_roles where rolname = current_user)
                 else exists (select from pg_roles signed join pg_roles r on r.rolsuper and pg_has_role(signed.oid, r.oid, 'member')
                              where signed.rolname = 'stet_server') end as superuser,
            array(select c.relname::text from pg_class c
                  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
                    and not (c.relrowsecurity and c.relforcerowsecurity)
                    and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped)
                  order by 1) as open
     from (select 1) one left join pg_roles app on app.rolname = 'stet_app'`,
    [databaseUrl !== undefined],
  );
  const [row] = rows;
  if (!row?.role)
    return failure('rights', 'The role stet_app is missing. Start Stet with a user that can create roles.');
  if (!row.member) return failure('rights', "The database user can't become stet_app. Run: grant stet_app to …");
  if (row.strong)
    return failure(
      'rights',
      'stet_app is a superuser or bypasses row-level security. Run: alter role stet_app nosuperuser nobypassrls',
    );
  if (row.open.length > 0)
    return failure(
      'rights',
      `Row-level security is off for ${row.open.join(', ')}: organizations could see each other's data.`,
    );
  if (row.superuser && databaseUrl === undefined)
    return failure(
      'rights',
      'Requests run as stet_server, which can become a superuser. Revoke the roles that allow this.',
    );
  if (row.superuser)
    return warning(
      'rights',
      'The user of DATABASE_URL is a superuser, so no database permission limits it. Use a different user.',
    );
  return fine('rights', 'The server sees one organization at a time.');
}

/** Reports audit trails that are broken or haven't been verified for two days. */
async function checkTrails(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ broken: string[]; late: number; trails: number }>(
    `select array(select org_id::text from audit_verifications where is_broken order by 1 limit 5) as broken,
            count(*) filter (where coalesce(v.ended_at, e.at) < now() - interval '2 days')::int as late, count(*)::int as trails
     from audit_heads h left join audit_verifications v on v.org_id = h.org_id
     left join audit_events e on e.org_id = h.org_id and e.seq = 1 where h.seq > 0`,
  );
  const { broken = [], late = 0, trails = 0 } = rows[0] ?? {};
  if (broken.length > 0)
    return failure(
      'audit',
      `${broken.length === 1 ? `The audit trail of ${broken[0]} is` : `The audit trails of ${broken.join(', ')} are`} broken. Don’t change anything; see “Alarms” in docs/operations.md.`,
    );
  if (late > 0)
    return warning(
      'audit',
      `${trails === 1 ? 'The audit trail has' : `${late} of ${trails} audit trails ${late === 1 ? 'has' : 'have'}`} not been verified for two days. Is a server running at night?`,
    );
  return fine('audit', 'No audit trail is broken or overdue for verification.');
}

async function checkClock(client: pg.Client): Promise<Finding> {
  const before = Date.now();
  const { rows } = await client.query<{ now: string }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::text as now',
  );
  // It is unknown how the round trip divides into the two directions.
  return clockFinding(Number(rows[0]?.now) - before, Date.now() - before);
}

/**
 * @param apart milliseconds by which the database was ahead, assuming that it answered at the start of the round trip
 * @param tripMs duration of the round trip in milliseconds
 */
export function clockFinding(apart: number, tripMs: number): Finding {
  const ms = apart < 0 ? -apart : Math.max(0, apart - tripMs);
  const sentence = `The clocks of this machine and of the database are ${(ms / 1000).toFixed(1)} s apart`;
  if (ms > HARMFUL_MS) return failure('clock', `${sentence}: synchronize them with a time server.`);
  if (ms > TOLERATED_MS) return warning('clock', `${sentence}; a time server keeps them in sync.`);
  return fine('clock', 'The clocks of this machine and of the database agree.');
}

/** Reports if a job has been waiting in the outbox for too long, and jobs that failed for good. */
async function checkJobs(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ late: number; queue: boolean }>(
    `select coalesce(extract(epoch from clock_timestamp() - min(run_at)), 0)::float8 as late, to_regclass('${QUEUE_JOBS}') is not null as queue
     from outbox where run_at <= clock_timestamp()`,
  );
  const findings: Finding[] = [];
  const late = rows[0]?.late ?? 0;
  if (late > LATE_SECONDS)
    findings.push(warning('jobs', `A job has been waiting for ${Math.round(late / 60)} minutes. Is a server running?`));
  if (rows[0]?.queue === true) {
    const { rows: given } = await client.query<{ task: string; n: number; error: string | null }>(
      `select t.identifier as task, count(*)::int as n, max(j.last_error) as error
       from ${QUEUE_JOBS_AND_TASKS}
       where j.attempts >= j.max_attempts and j.locked_at is null group by 1 order by 1`,
    );
    for (const { task, n, error } of given)
      findings.push(
        warning(
          'jobs',
          `${n} ${n === 1 ? 'job' : 'jobs'} of ${task} failed for good: ${(error ?? 'no reason was recorded').split('\n', 1)[0]}. To retry: stet jobs retry ${task}`,
        ),
      );
  }
  return findings.length > 0 ? findings : [fine('jobs', 'No job is overdue.')];
}
