import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmptyDatabase } from '../../testing/database.ts';
import { publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { complete, start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer, startTestServerOn } from '../../testing/server.ts';
import { sealTrails } from '../../modules/audit/seal-trails.job.ts';
import { stet } from '../stet.fixture.ts';
import { MIGRATIONS_DIRECTORY, migrate } from '../../db/migrate.ts';
import { waitingJobs } from './jobs.ts';
import { KEPT_FOLDERS } from './kept-files.ts';
import { loadBackup } from './load-backup.ts';
import { placeFiles } from './place-files.ts';
import { listSequences, listTables, rowsOf } from './tables.ts';

const said = (text: string) => expect.stringContaining(text) as string;

/** Everything that the tables and sequences of a database hold. */
async function contentOf(connection: pg.ClientConfig): Promise<Record<string, unknown>> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(`set timezone = 'UTC'; begin isolation level repeatable read, read only`);
    const content: Record<string, unknown> = {};
    for (const table of await listTables(client)) {
      const rows: string[] = [];
      for await (const batch of rowsOf(client, table)) rows.push(...batch.map((row) => JSON.stringify(row)));
      content[table.name] = { columns: table.columns, rows: rows.toSorted() };
    }
    content['sequences'] = await listSequences(client);
    content['jobs'] = (await waitingJobs(client)).length;
    return content;
  } finally {
    await client.end();
  }
}

describe('a backup of an external database', () => {
  let server: TestServer;
  let editor: Person;
  let folder: string;
  let env: Record<string, string>;
  const inFolder = (name: string): string => join(folder, name);
  const stopped: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stet-backup-test-'));
    server = await startTestServer();
    const team = await teamOf(server, ['editor', 'reviewer']);
    ({ editor } = team);
    await publish(editor, team.reviewer, 'hiring', [
      {
        id: 'odd',
        title: 'Tabs\t, "quotes", \\back\\slashes, {braces}, \u2028 and 日本語 😀',
        assignee: editor.user.email,
        sla: '4h',
      },
      ...stepsNamed('Second'),
    ]);
    const run = await start(editor, 'hiring');
    await complete(editor, run.id, 'odd', 'Line one\nline two\r\n\\N');
    await sealTrails(server.server.deps);
    mkdirSync(join(server.dataDir, 'mail'), { recursive: true });
    // Longer than a piece of the archive.
    writeFileSync(join(server.dataDir, 'mail', 'long.eml'), Buffer.alloc(1_200_000, 'äb\n'), { mode: 0o600 });
    env = { DATABASE_URL: server.database.url, DATA_DIR: server.dataDir };
  });
  afterAll(async () => {
    for (const stop of stopped) await stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A copy of a backup in a database of its own, and its data directory. */
  async function restored(file: string, ...options: string[]) {
    return restoredIn({}, file, ...options);
  }
  async function restoredIn(more: Record<string, string>, file: string, ...options: string[]) {
    const database = await createEmptyDatabase();
    const dataDir = mkdtempSync(inFolder('restored-'));
    stopped.push(database.drop);
    const copyEnv = { DATABASE_URL: database.url, DATA_DIR: dataDir, ...more };
    const outcome = await stet(['restore', file, ...options], copyEnv);
    return { outcome, database, dataDir, env: copyEnv };
  }

  it('is restored to the bit: tables, sequences, keys, checkpoints, mail', async () => {
    const file = inFolder('whole.gz');
    await server.server.stop(); // Its jobs would go on working between the two looks.
    const before = await contentOf(server.database.connection);
    expect(await stet(['backup', file], env)).toMatchObject({ code: 0, out: '', said: said('rows of') });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { outcome, database, dataDir } = await restored(file);
    expect(outcome).toMatchObject({ code: 0, said: said('Restored as of') });
    const { jobs, outbox, sequences, ...tables } = before;
    const after = await contentOf(database.connection);
    expect(after).toMatchObject(tables);
    expect(Object.keys(after).toSorted()).toEqual(Object.keys(before).toSorted());
    expect((tables['audit_events'] as { rows: string[] }).rows.length).toBeGreaterThan(5);
    for (const name of ['keys', 'checkpoints', 'mail'])
      expect(execFileSync('diff', ['-r', join(server.dataDir, name), join(dataDir, name)]).toString()).toBe('');
    expect(statSync(join(dataDir, 'keys', 'secret')).mode & 0o777).toBe(0o600);
    // Jobs of the queue are in the outbox of the copy.
    const waiting = (after['outbox'] as { rows: string[] }).rows.length;
    expect(waiting).toBe(Number(jobs) + (outbox as { rows: string[] }).rows.length);
    expect(sequences).toBeDefined();
  });

  it('comes to life: sessions, runs and the trail go on', async () => {
    const file = inFolder('alive.gz');
    await stet(['backup', file], env);
    const { database, dataDir } = await restored(file);
    const copy = await startTestServerOn(database, { DATA_DIR: dataDir });
    stopped.unshift(() => copy.server.stop());
    const ellen = copy.as(editor.token);
    expect(await ellen.get('/api/auth/me')).toMatchObject({ email: editor.user.email });
    const run = await ellen.post<{ id: string }>('/api/runs', { key: 'hiring', name: 'Afterwards' });
    const bundle = inFolder('trail.ndjson');
    writeFileSync(bundle, (await ellen.call<string>('GET', '/api/audit/export.ndjson')).body);
    const checkpoints = join(dataDir, 'checkpoints', `${editor.user.currentOrgId}.txt`);
    // The editor's own organization is another one; the trail is of the team.
    const [row] = await copy.sql<{ org_id: string }>('select org_id from runs where id = $1', [run.id]);
    const kept = checkpoints.replace(`${editor.user.currentOrgId}`, row?.org_id ?? '');
    const key = join(dataDir, 'keys', 'audit-signing.pub');
    expect(await stet(['audit', 'verify', bundle, '--checkpoints', kept, '--key', key])).toMatchObject({
      code: 0,
      out: said('Intact'),
    });
  });

  it('says where it comes to life without the secret that it was made under, set or kept', async () => {
    const [ours, other] = ['the secret of this installation here', 'the secret of another installation'];
    const set = inFolder('secret-set.gz');
    await stet(['backup', set], { ...env, SECRET_KEY: ours });
    const notInIt = said('SECRET_KEY was set where the backup was made, and is not in it');
    expect(await stet(['restore', '--check', set], env)).toMatchObject({ code: 0, said: notInIt });
    expect((await restored(set)).outcome.said).toEqual(notInIt);
    const another = said('is not the one of the backup: people are signed out, connections to Slack can’t be read');
    expect((await restoredIn({ SECRET_KEY: other }, set)).outcome.said).toEqual(another);
    for (const known of [{ SECRET_KEY: ours }, { SECRET_KEY: other, SECRET_KEY_PREVIOUS: ours }])
      expect((await restoredIn(known, set)).outcome.said).not.toContain('SECRET_KEY');
    const kept = inFolder('secret-kept.gz');
    await stet(['backup', kept], env);
    expect((await restored(kept)).outcome.said).not.toContain('SECRET_KEY');
    expect((await restoredIn({ SECRET_KEY: other }, kept)).outcome.said).toEqual(another);
    expect(gunzipSync(readFileSync(set)).toString()).not.toContain(ours);
  });

  it('can leave out what waited', async () => {
    const file = inFolder('quiet.gz');
    await server.sql(
      `insert into outbox (task, payload, run_at) values ('notify_assignee', '{}', now() + interval '1 day')`,
    );
    await stet(['backup', file], env);
    const { outcome, database } = await restored(file, '--without-jobs', '--json');
    expect(JSON.parse(outcome.out)).toMatchObject({ jobs: 0 });
    expect(await contentOf(database.connection)).toMatchObject({ outbox: { rows: [] } });
  });

  it('can be a copy to look at, which calls nobody', async () => {
    const file = inFolder('look.gz');
    const [person] = await server.sql<{ id: string; org: string }>(
      'select user_id as id, org_id as org from memberships where org_id in (select org_id from audit_heads) limit 1',
    );
    const ids = [person?.org, person?.id];
    await server.sql(
      `insert into webhooks (org_id, id, url, name, actions, after_seq, created_by) values ($1, $1, 'https://hook.example', 'Hook', '{}', 0, $2)`,
      ids,
    );
    await server.sql('insert into webhook_cursors (org_id, seq) values ($1, 0)', [person?.org]);
    await server.sql(
      `insert into webhook_deliveries (org_id, id, webhook_id, seq, action, subject) values ($1, $1, $1, 1, 'run.started', 'run:1')`,
      [person?.org],
    );
    await server.sql(
      `insert into slack_connections (org_id, team_id, team_name, sealed_token, connected_by) values ($1, 'T1', 'Halden', 'sealed', $2)`,
      ids,
    );
    await server.sql(
      `insert into slack_messages (org_id, key, assignee, title, workflow_title, state, job) values ($1, 'k', 'a', 't', 'w', 'waiting', '{}')`,
      [person?.org],
    );
    await server.sql('insert into digests (org_id, id, user_id, day) values ($1, $1, $2, current_date)', ids);
    for (const digest of [person?.org, null])
      await server.sql(
        `insert into notifications (org_id, user_id, id, source, kind, title, body, email, slack, digest_id)
         values ($1, $2, gen_random_uuid(), gen_random_uuid()::text, 'review_requested', 'Held', 'back', 'daily', 'daily', $3)`,
        [...ids, digest],
      );
    await stet(['backup', file], env);
    const look = async (database: { connection: pg.ClientConfig }) => {
      const client = new pg.Client(database.connection);
      await client.connect();
      const { rows } = await client.query<Record<string, unknown>>(
        `select (select bool_or(is_active) from webhooks) as hears, (select array_agg(state) from webhook_deliveries) as deliveries,
                (select count(*)::int from webhook_cursors c join audit_heads h using (org_id) where h.seq > c.seq) as news,
                (select array_agg(state) from slack_messages where key = 'k') as messages,
                (select count(*)::int from slack_connections) as slack, (select count(*)::int from digests) as digests,
                (select count(*)::int from notifications where email = 'daily' or slack = 'daily' or digest_id is not null) as held`,
      );
      await client.end();
      return rows[0];
    };
    const copy = await restored(file, '--without-jobs');
    expect(copy.outcome.code).toBe(0);
    expect(await look(copy.database)).toEqual({
      hears: false,
      deliveries: ['dead'],
      news: 0,
      messages: ['failed'],
      slack: 0,
      digests: 0,
      held: 0,
    });
    const whole = await restored(file);
    expect(await look(whole.database)).toEqual({
      hears: true,
      deliveries: ['waiting'],
      news: 1,
      messages: ['waiting'],
      slack: 1,
      digests: 1,
      held: 2,
    });
  });

  it('is begun again where it was broken off between its files and its database', async () => {
    const file = inFolder('broken-off.gz');
    await stet(['backup', file], env);
    const database = await createEmptyDatabase();
    stopped.push(database.drop);
    const dataDir = mkdtempSync(inFolder('broken-off-'));
    const connect = (): pg.Client => new pg.Client(database.connection);
    await migrate({ connect, directory: MIGRATIONS_DIRECTORY, log: { info() {} } });
    const client = connect();
    await client.connect();
    const made = mkdtempSync(inFolder('made-'));
    const place = (): void => {
      placeFiles(made, dataDir, KEPT_FOLDERS);
      throw new Error('broken off');
    };
    const options = { filesTo: made, withJobs: true, placeFiles: place };
    await expect(loadBackup(client, file, options)).rejects.toThrow('broken off');
    await client.end();
    expect(execFileSync('ls', [dataDir]).toString()).toContain('keys');

    const copyEnv = { DATABASE_URL: database.url, DATA_DIR: dataDir };
    expect(await stet(['restore', file], copyEnv)).toMatchObject({ code: 0, said: said('Restored as of') });
    const there = execFileSync('ls', [dataDir]).toString();
    expect(there).toContain('before-restore-');
    expect(there).not.toContain('unfinished');
    for (const name of ['keys', 'checkpoints', 'mail'])
      expect(execFileSync('diff', ['-r', join(server.dataDir, name), join(dataDir, name)]).toString()).toBe('');
    const another = await createEmptyDatabase();
    stopped.push(another.drop);
    expect(await stet(['restore', file], { ...copyEnv, DATABASE_URL: another.url })).toMatchObject({
      code: 1,
      said: said('There is an installation in'),
    });
  });

  it('is refused where it is not as it was written, and nothing is restored', async () => {
    const file = inFolder('sound.gz');
    await stet(['backup', file], env);
    expect(await stet(['restore', file, '--check', '--json'], env)).toMatchObject({ code: 0, out: said('"rows"') });
    const whole = readFileSync(file);
    const lines = gunzipSync(whole).toString().split('\n');
    const damaged: Record<string, Buffer> = {
      'cut off': whole.subarray(0, whole.length - 100),
      'without its end': gzipSync(`${lines.slice(0, -2).join('\n')}\n`),
      'without a row': gzipSync(lines.filter((line) => !line.startsWith('["')).join('\n')),
      'another row': gzipSync(lines.join('\n').replace('hiring', 'firing')),
      'another file': gzipSync('hello\n'),
      'no gzip': Buffer.from('hello\n'),
    };
    for (const [name, bytes] of Object.entries(damaged)) {
      const bad = inFolder(`bad ${name}`);
      writeFileSync(bad, bytes);
      const { outcome, database, dataDir } = await restored(bad);
      expect(outcome, name).toMatchObject({ code: 1, out: '', said: said('Nothing was restored') });
      expect(Object.keys(await contentOf(database.connection))).toEqual(['sequences', 'jobs']);
      expect(execFileSync('ls', [dataDir]).toString()).toBe('');
    }
    expect(await stet(['restore', inFolder('nowhere.gz')], env)).toMatchObject({
      code: 1,
      said: said("can't be read"),
    });
  });

  it('is never put over an installation, nor over another file', async () => {
    const file = inFolder('once.gz');
    await stet(['backup', file], env);
    expect(await stet(['backup', file], env)).toMatchObject({ code: 1, said: said('is there already') });
    expect(await stet(['backup', file, '--force'], env)).toMatchObject({ code: 0 });
    const empty = mkdtempSync(inFolder('empty-'));
    expect(await stet(['restore', file], env)).toMatchObject({ code: 1, said: said('There is an installation in') });
    expect(await stet(['restore', file], { ...env, DATA_DIR: empty })).toMatchObject({
      code: 1,
      said: said('is not empty'),
    });
    expect(await stet(['backup', folder, '--json'], env)).toMatchObject({ code: 0, out: said('stet-backup-20') });
    const other = await createEmptyDatabase();
    stopped.push(other.drop);
    expect(await stet(['backup', inFolder('none.gz')], { ...env, DATABASE_URL: other.url })).toMatchObject({
      code: 1,
      said: said('no installation'),
    });
    expect(execFileSync('ls', [folder]).toString()).not.toContain('unfinished');
  });
});
