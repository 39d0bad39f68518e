import { randomInt, randomUUID } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Finding } from './cli/installation/finding.ts';
import { stet } from './cli/stet.fixture.ts';
import { readConfig } from './kernel/config.ts';
import { openLog } from './kernel/log.ts';
import { KeysMissing } from './modules/audit/assert-keys.ts';
import { startServer } from './server.ts';
import { type TestDatabase, createEmptyDatabase, createTestDatabase } from './testing/database.ts';
import { publish, stepsNamed } from './testing/organization.ts';
import { start } from './testing/runs.ts';
import { startTestServerOn } from './testing/server.ts';

/** The advisory lock of the migrations. */
const MIGRATION_LOCK = 5_738_316_401;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Returns the number of rows and a digest of each table, in every schema of the application. */
async function digestOfAllTables(client: pg.Client): Promise<Record<string, unknown>> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname !~ '^(pg_|information_schema)'`,
  );
  const digests: Record<string, unknown> = {};
  for (const { name } of rows) {
    const { rows: found } = await client.query(
      `select count(*)::int as rows, md5(string_agg(t::text, '' order by t::text)) as digest from ${name} t`,
    );
    digests[name] = found[0];
  }
  return digests;
}

describe('the server', () => {
  let database: TestDatabase;
  let holder: pg.Client;
  beforeEach(async () => {
    database = await createTestDatabase();
    holder = new pg.Client(database.connection);
    holder.on('error', () => {});
    await holder.connect();
  });
  afterEach(async () => {
    await holder.end();
    await database.drop();
  });

  it('reports that it is alive while waiting for the database, but accepts requests only once it is ready', async () => {
    await holder.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const port = await freePort();
    const starting = startTestServerOn(database, { PORT: String(port) });
    const ask = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return {
        status: response.status,
        body: (await response.json()) as object,
        retryAfter: response.headers.get('retry-after'),
      };
    };
    await vi.waitFor(
      async () => expect(await ask('/api/health')).toMatchObject({ status: 200, body: { status: 'ok' } }),
      30_000,
    );
    for (const path of ['/api/ready', '/api/workflows', '/api/auth/me', '/app/editor']) {
      expect(await ask(path)).toEqual({
        status: 503,
        body: { error: 'The server is starting', code: 'starting' },
        retryAfter: '1',
      });
    }
    await holder.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    const server = await starting;
    expect(await ask('/api/ready')).toMatchObject({ status: 200, body: { status: 'ready' } });
    expect(await ask('/api/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
    await server.stop();
    await expect(ask('/api/health')).rejects.toThrow('fetch failed');
  });

  it('completes running requests when it stops, and then closes its connections', async () => {
    const server = await startTestServerOn(database);
    const person = await server.signUp();
    await publish(person, person, 'flow', stepsNamed('First', 'Second'));
    const { id } = await start(person, 'flow');
    await holder.query('begin');
    await holder.query('select 1 from runs where id = $1 for update', [id]);
    const answering = person.call('POST', `/api/runs/${id}/complete`, { stepId: 'step-1', output: 'Done' });
    await vi.waitFor(async () => {
      const waiting = await server.sql(
        `select 1 from pg_stat_activity where application_name = 'stet' and wait_event_type = 'Lock' and datname = current_database()`,
      );
      expect(waiting).toHaveLength(1);
    }, 30_000);
    const stopping = server.server.stop();
    await expect(fetch(`${server.server.url}/api/ready`)).rejects.toThrow('fetch failed');
    await holder.query('commit');
    expect((await answering).status).toBe(200);
    await stopping;
    // PostgreSQL takes a moment to end the session of a closed connection.
    await vi.waitFor(async () => {
      const { rows } = await holder.query(
        `select application_name from pg_stat_activity where application_name like 'stet%' and datname = current_database()`,
      );
      expect(rows).toEqual([]);
    }, 30_000);
    const { rows: storedRuns } = await holder.query(`select steps_completed from runs where id = $1`, [id]);
    expect(storedRuns).toEqual([{ steps_completed: 1 }]);
    await server.stop();
  });

  it('executes jobs that were enqueued before its start at their first attempt', async () => {
    const first = await startTestServerOn(database);
    await first.server.stop();
    const job = JSON.stringify({ orgId: randomUUID(), runId: randomUUID(), stepId: 'step-1', activation: 1 });
    await holder.query(
      `select graphile_worker.add_job('notify_assignee', $1::json, max_attempts => 1) from generate_series(1, 20)`,
      [job],
    );
    const server = await startTestServerOn(database);
    await vi.waitFor(async () => {
      const { rows } = await holder.query(
        `select last_error from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'notify_assignee'`,
      );
      expect(rows).toEqual([]);
    }, 20_000);
    await server.stop();
  });

  it('is alive but not ready while its data directory is gone, and reports this in its metrics, its log and stet doctor', async () => {
    const logged: Record<string, unknown>[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => void logged.push(JSON.parse(line) as (typeof logged)[0]) });
    const server = await startTestServerOn(database, {}, { log });
    const person = await server.signUp();
    const env = { DATABASE_URL: server.database.url, DATA_DIR: server.dataDir };
    const doctor = async () => JSON.parse((await stet(['doctor', '--json'], env)).out) as Finding[];
    const up = async () => /^stet_data_directory_up (.*)$/m.exec(await server.anyone.get<string>('/metrics'))?.[1];
    expect([await up(), (await server.anyone.call('GET', '/api/ready')).status]).toEqual(['1', 200]);
    expect(await doctor()).toContainEqual(expect.objectContaining({ check: 'data', state: 'ok' }));

    renameSync(server.dataDir, `${server.dataDir}-away`);
    await vi.waitFor(async () => {
      expect(await server.anyone.call('GET', '/api/ready')).toMatchObject({
        status: 503,
        body: { code: 'data_directory_unavailable' },
      });
    }, 10_000);
    expect(await up()).toBe('0');
    expect((await server.anyone.call('GET', '/api/health')).status).toBe(200);
    expect(await doctor()).toContainEqual({
      check: 'data',
      state: 'failure',
      sentence: `${server.dataDir} is missing. Mount its disk, or restore it from a backup.`,
    });
    expect(logged.map(({ msg }) => msg)).toContain('the data directory is unavailable');
    // Changes can still be saved, because the database is elsewhere.
    await person.patch('/api/users/me', { name: 'Ada Two' });

    renameSync(`${server.dataDir}-away`, server.dataDir);
    await vi.waitFor(async () => expect((await server.anyone.call('GET', '/api/ready')).status).toBe(200), 10_000);
    await server.stop();
  });

  it("doesn't start without the keys that signed the audit trails, unless an empty key folder requests new ones", async () => {
    const server = await startTestServerOn(database);
    await server.signUp();
    const dataDir = mkdtempSync(join(tmpdir(), 'stet-no-keys-'));
    const folder = join(dataDir, 'keys');
    const logged: string[] = [];
    const log = pino(
      { level: 'error' },
      { write: (line) => void logged.push((JSON.parse(line) as { msg: string }).msg) },
    );
    const starting = () =>
      startServer({
        config: readConfig({ PORT: '0', DATA_DIR: dataDir, DATABASE_URL: database.url }),
        log,
        webRoot: null,
      });
    await expect(starting()).rejects.toThrow(`signed with a key that is missing in ${folder}`);
    expect(existsSync(folder)).toBe(false);
    mkdirSync(folder);
    writeFileSync(join(folder, 'secret'), 'x'.repeat(40));
    await expect(starting()).rejects.toThrow(KeysMissing);
    rmSync(join(folder, 'secret'));
    const renewed = await starting();
    expect(logged).toContain('the keys that signed the audit trails are lost, so this server creates new ones');
    await renewed.stop();
    logged.length = 0;
    await (await starting()).stop();
    expect(logged).toEqual([]);
    rmSync(join(folder, 'secret'));
    await (await starting()).stop();
    expect(logged).toEqual([expect.stringMatching(/^SECRET_KEY isn't set and keys\/secret is missing/)]);
    rmSync(dataDir, { recursive: true });
    await server.stop();
  });

  it('refuses requests while the directory of its embedded database is gone', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'stet-embedded-'));
    chmodSync(dataDir, 0o711);
    const log = openLog('silent');
    const server = await startServer({ config: readConfig({ PORT: '0', DATA_DIR: dataDir }), log, webRoot: null });
    const signUp = async (email: string) =>
      (
        await fetch(`${server.url}/api/waitlist/signup`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email }),
        })
      ).status;
    expect(await signUp('ada@example.com')).toBe(200);
    renameSync(dataDir, `${dataDir}-away`);
    await vi.waitFor(async () => expect(await signUp('ben@example.com')).toBe(503), 10_000);
    renameSync(`${dataDir}-away`, dataDir);
    await vi.waitFor(async () => expect(await signUp('cleo@example.com')).toBe(200), 10_000);
    await server.stop();
    rmSync(dataDir, { recursive: true });
  });

  it('stops without an error if `stop` is called twice at the same time, and once more later', async () => {
    const server = await startTestServerOn(database);
    const health = () => fetch(`${server.server.url}/api/health`);
    expect((await health()).status).toBe(200);
    await Promise.all([server.server.stop(), server.server.stop()]);
    await expect(health()).rejects.toThrow('fetch failed');
    await server.stop();
  });

  it("doesn't start without a database or on a port in use, and leaves nothing open", async () => {
    // The port is below the range that the system gives to other tests.
    const port = randomInt(20_000, 30_000);
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve));
    const config = (env: Record<string, string>) =>
      readConfig({ PORT: '0', DATA_DIR: '/nonexistent', DATABASE_URL: database.url, ...env });
    const starting = (env: Record<string, string>) =>
      startServer({ config: config(env), log: openLog('silent'), webRoot: null });
    await expect(starting({ PORT: String(port) })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
    await new Promise((resolve) => taken.close(resolve));
    await expect(
      starting({ PORT: String(port), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }),
    ).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(fetch(`http://127.0.0.1:${port}/api/health`)).rejects.toThrow('fetch failed');
  });

  it('reports its version in its log, in its metrics and, without a session, at /api/version', async () => {
    const logged: Record<string, unknown>[] = [];
    const log = pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line) as (typeof logged)[0]) });
    const server = await startTestServerOn(database, {}, { log });
    const answer = await server.anyone.get<{ schema: string }>('/api/version');
    const { rows } = await holder.query<{ name: string }>(
      'select name from stet_migrations order by number desc limit 1',
    );
    expect(answer).toEqual({ version: '0.1.0', commit: null, schema: rows[0]?.name.replace('.sql', '') });
    expect(logged[0]).toMatchObject({ msg: 'Stet is starting', ...answer });
    expect(await server.anyone.get('/metrics')).toContain(
      `stet_build_info{version="0.1.0",commit="",schema="${answer.schema}"} 1`,
    );
    await server.stop();
  });

  it('refuses to start on a newer schema, with a message, and changes nothing', async () => {
    const server = await startTestServerOn({ ...database, drop: async () => {} });
    await server.signUp();
    await server.stop();
    await holder.query(`insert into stet_migrations (number, name, sha256) values (9999, '9999_later.sql', '')`);
    const before = await digestOfAllTables(holder);
    const config = readConfig({ PORT: '0', DATA_DIR: '/nonexistent', DATABASE_URL: database.url });
    await expect(startServer({ config, log: openLog('silent'), webRoot: null })).rejects.toMatchObject({
      name: 'MigrationProblem',
      message: expect.stringMatching(
        /^The database has migration 9999_later\.sql, which this version of Stet doesn't know: its last one is \d{4}_\w+\.sql\. Nothing was changed\./,
      ) as string,
    });
    expect(await digestOfAllTables(holder)).toEqual(before);
  });

  it('starts on an empty database even if another server is starting on it at the same time', async () => {
    const empty = await createEmptyDatabase();
    const own = () =>
      startTestServerOn({ ...empty, drop: async () => {} }, { SECRET_KEY: 'one secret that both of the servers know' });
    const [one, other] = await Promise.all([own(), own()]);
    const person = await one.signUp();
    expect((await other.as(person.token).call('GET', '/api/auth/me')).status).toBe(200);
    await one.stop();
    expect((await other.as(person.token).call('GET', '/api/workflows')).status).toBe(200);
    await other.stop();
    await empty.drop();
  });
});
