import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../db/embedded/start-embedded-postgres.ts';
import { sealTrails } from '../../modules/audit/seal-trails.job.ts';
import { createEmptyDatabase } from '../../testing/database.ts';
import { publish, stepsNamed } from '../../testing/organization.ts';
import { complete, runOf, start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServerOn } from '../../testing/server.ts';
import { stet } from '../stet.fixture.ts';
import { differences, fingerprintOf } from './compare-databases.ts';

const containing = (text: string) => expect.stringContaining(text) as string;
const log = { info() {}, warn() {}, error() {} };

describe('the move from the embedded database to an external one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stet-move-'));
  const dataDir = join(folder, 'data');
  const env = { DATA_DIR: dataDir };
  const closing: (() => Promise<void>)[] = [];
  let person: Person;
  let runId: string;

  /** Starts a server on the embedded database in the data directory. */
  async function openEmbedded(): Promise<{ server: TestServer; stop: () => Promise<void> }> {
    const postgres = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off' } });
    const { connection } = postgres;
    const url = `postgres://${connection.user}@${encodeURIComponent(connection.host)}:${connection.port}/${connection.database}`;
    const server = await startTestServerOn({ connection, url, drop: async () => {} }, env);
    const stop = async (): Promise<void> => {
      await server.stop();
      await postgres.stop();
    };
    return { server, stop };
  }
  const emptyDatabase = async () => {
    const database = await createEmptyDatabase();
    closing.push(database.drop);
    return database;
  };
  const fingerprint = async (connection: pg.ClientConfig) => {
    const client = new pg.Client(connection);
    await client.connect();
    try {
      return await fingerprintOf(client);
    } finally {
      await client.end();
    }
  };

  /** Executes SQL in the embedded database. */
  const onJobs = async (sql: string): Promise<void> => {
    const postgres = await startEmbeddedPostgres({ dataDir, log });
    const client = new pg.Client(postgres.connection);
    await client.connect();
    await client.query(sql);
    await client.end();
    await postgres.stop();
  };

  beforeAll(async () => {
    const { server, stop } = await openEmbedded();
    person = await server.signUp();
    await publish(person, person, 'moving', stepsNamed('First', 'Second'));
    ({ id: runId } = await start(person, 'moving'));
    await complete(person, runId, 'step-1', 'Done before the move, 日本語');
    await sealTrails(server.server.deps);
    await stop();
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("doesn't start if there are failed jobs, unless they are to be left behind", async () => {
    await onJobs(`select graphile_worker.add_job('mail_notice', '{}', job_key => 'lost', max_attempts => 1);
                  update graphile_worker._private_jobs set attempts = max_attempts where key = 'lost'`);
    const database = await emptyDatabase();
    const refused = await stet(['move-database', '--to', database.url], env);
    expect(refused).toMatchObject({ code: 1, stderr: containing('1 of mail_notice') });
    expect([...(await fingerprint(database.connection)).keys()]).toEqual([]);
    expect(await stet(['move-database', '--to', database.url, '--without-given-up'], env)).toMatchObject({ code: 0 });
    await onJobs(`delete from graphile_worker._private_jobs where key = 'lost'`);
  });

  it('moves a job whose last attempt was interrupted, so that it is executed again', async () => {
    await onJobs(`select graphile_worker.add_job('mail_notice', '{}', job_key => 'interrupted', max_attempts => 1);
                  update graphile_worker._private_jobs set attempts = 1, locked_at = now(), locked_by = 'a worker' where key = 'interrupted'`);
    const database = await emptyDatabase();
    expect(await stet(['move-database', '--to', database.url], env)).toMatchObject({ code: 0 });
    const client = new pg.Client(database.connection);
    await client.connect();
    const { rows } = await client.query(`select task from outbox where job_key = 'interrupted'`);
    await client.end();
    expect(rows).toEqual([{ task: 'mail_notice' }]);
    await onJobs(`delete from graphile_worker._private_jobs where key = 'interrupted'`);
  });

  it('removes the partial copy of a move that was killed', async () => {
    mkdirSync(join(dataDir, 'moving'));
    writeFileSync(join(dataDir, 'moving', 'copy.jsonl.gz'), 'half of it');
    const database = await emptyDatabase();
    expect(await stet(['move-database', '--to', database.url], env)).toMatchObject({ code: 0 });
    expect(existsSync(join(dataDir, 'moving'))).toBe(false);
  });

  it('copies and verifies everything, lists the settings to change, and leaves the old database unchanged', async () => {
    const database = await emptyDatabase();
    const outcome = await stet(['move-database', '--to', database.url], env);
    expect(outcome).toMatchObject({ code: 0, out: '' });
    for (const words of [
      '1 of 4',
      'rows in',
      '2 of 4',
      '3 of 4',
      'tables identical',
      '4 of 4',
      'intact',
      `DATABASE_URL=${database.url}`,
      dataDir,
    ])
      // prettier-ignore
      expect(outcome.stderr).toContain(words);
    expect(readdirSync(dataDir)).not.toContain('moving');

    // The old database still works and has the same content as the new one.
    const old = await startEmbeddedPostgres({ dataDir, log });
    const before = await fingerprint(old.connection);
    await old.stop();
    const after = await fingerprint(database.connection);
    expect(before.get('runs')?.rows).toBe(1);
    const waiting = (after.get('outbox')?.rows ?? 0) - (before.get('outbox')?.rows ?? 0);
    expect(differences(before, after, { outbox: waiting })).toEqual([]);

    // Sessions continue on the new database.
    const server = await startTestServerOn({ ...database, drop: async () => {} }, env);
    closing.push(server.stop);
    const moved = { ...server.as(person.token), token: person.token, user: person.user };
    await complete(moved, runId, 'step-2', 'Done after the move');
    expect(await runOf(moved, runId)).toMatchObject({ status: 'completed' });
    await sealTrails(server.server.deps);
  });

  it('refuses to start with a database that isn’t empty, with wrong settings, or while a server is running', async () => {
    const used = await emptyDatabase();
    const client = new pg.Client(used.connection);
    await client.connect();
    await client.query('create table theirs (id int)');
    await client.end();
    const refused = (code: number, words: string) => ({ code, out: '', stderr: containing(words) });
    expect(await stet(['move-database', '--to', used.url], env)).toMatchObject(refused(1, 'is not empty'));
    const empty = await emptyDatabase();
    expect(await stet(['move-database', '--to', empty.url], { ...env, DATABASE_URL: used.url })).toMatchObject(
      refused(1, 'DATABASE_URL is set'),
    );
    expect(await stet(['move-database', '--to', empty.url], { DATA_DIR: join(folder, 'none') })).toMatchObject(
      refused(1, 'no embedded database'),
    );
    expect(await stet(['move-database', '--to', 'postgres://nobody@127.0.0.1:1/none'], env)).toMatchObject(
      refused(1, 'There is no server at the address in --to'),
    );
    for (const args of [[], ['--to', 'mysql://here/there']])
      expect(await stet(['move-database', ...args], env)).toMatchObject(refused(2, '--to needs a postgres:// address'));
    const running = await startEmbeddedPostgres({ dataDir, log });
    expect(await stet(['move-database', '--to', empty.url], env)).toMatchObject(refused(75, 'Stop it first'));
    await running.stop();
    expect([...(await fingerprint(empty.connection)).keys()]).toEqual([]);
  });
});

describe('the comparison of two databases', () => {
  const one = new Map([['runs', { rows: 2, digest: 'a' }], ['outbox', { rows: 1, digest: 'b' }]]); // prettier-ignore
  it.each([
    ['a missing row', { rows: 1, digest: 'a' }, ['runs has 2 rows in one and 1 in the other']],
    ['a different row', { rows: 2, digest: 'c' }, ['runs has different rows']],
    ['no difference', { rows: 2, digest: 'a' }, []],
  ])('finds %s', (_, runs, expected) => {
    expect(differences(one, new Map([...one, ['runs', runs]]), {})).toEqual(expected);
  });

  it('reports a missing table, and accepts the expected number of additional rows', () => {
    const other = new Map([['outbox', { rows: 3, digest: 'x' }]]);
    expect(differences(one, other, { outbox: 2 })).toEqual(['runs is in only one of the databases']);
  });
});
