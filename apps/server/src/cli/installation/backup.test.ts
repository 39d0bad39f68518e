import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { publish } from '../../testing/organization.ts';
import { act, start } from '../../testing/runs.ts';
import { FILE_FIELD, upload } from '../../testing/files.ts';
import { type TestServer, startTestServer, startTestServerOn } from '../../testing/server.ts';
import { stet } from '../stet.fixture.ts';
import { containing, contentOf, startBackupScene } from '../../testing/backup-scene.ts';

const scene = await startBackupScene();
const { server, editor, env, inFolder, stopped, restored, restoredIn } = scene;

const sequencesOf = (content: Record<string, unknown>) =>
  content['sequences'] as { name: string; value: string; called: boolean }[];

afterAll(() => scene.stop());

describe('a backup of an external database', () => {
  it('restores everything exactly: tables, keys, checkpoints and mail', async () => {
    const file = inFolder('whole.gz');
    await server.server.stop(); // Otherwise the server's jobs would write between the two reads.
    await server.sql(`select setval('webhook_deliveries_position_seq', 41)`);
    await server.sql(`select graphile_worker.add_job('mail_notice', '{}', run_at => now() + interval '1 day')`);
    const before = await contentOf(server.database.connection);
    expect(await stet(['backup', file], env)).toMatchObject({ code: 0, out: '', stderr: containing('rows in') });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { outcome, database, dataDir } = await restored(file);
    expect(outcome).toMatchObject({ code: 0, stderr: containing('Restored as of') });
    const { jobs, outbox, sequences: _, ...tables } = before;
    const after = await contentOf(database.connection);
    expect(after).toMatchObject(tables);
    expect(Object.keys(after).toSorted()).toEqual(Object.keys(before).toSorted());
    expect((tables['audit_events'] as { rows: string[] }).rows.length).toBeGreaterThan(5);
    for (const name of ['keys', 'checkpoints', 'mail'])
      expect(execFileSync('diff', ['-r', join(server.dataDir, name), join(dataDir, name)]).toString()).toBe('');
    expect(statSync(join(dataDir, 'keys', 'secret')).mode & 0o777).toBe(0o600);
    // In the copy, the queue's jobs are in the outbox.
    const waiting = (after['outbox'] as { rows: string[] }).rows.length;
    expect(waiting).toBe(Number(jobs) + (outbox as { rows: string[] }).rows.length);
    // New rows of the outbox have ids after the original's, and so have the copy's jobs.
    expect(jobs).toBeGreaterThan(0);
    expect(sequencesOf(after)).toEqual(
      sequencesOf(before).map((each) =>
        each.name === 'outbox_id_seq' ? { ...each, value: `${Number(each.value) + Number(jobs)}` } : each,
      ),
    );
  });

  it('can be used after a restore: sessions, runs and the trail continue', async () => {
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
    // The editor also has an individual organization, but the trail is the team's.
    const [row] = await copy.sql<{ org_id: string }>('select org_id from runs where id = $1', [run.id]);
    const backupWithSecret = checkpoints.replace(`${editor.user.currentOrgId}`, row?.org_id ?? '');
    const key = join(dataDir, 'keys', 'audit-signing.pub');
    expect(await stet(['audit', 'verify', bundle, '--checkpoints', backupWithSecret, '--key', key])).toMatchObject({
      code: 0,
      out: containing('Intact'),
    });
  });

  it('warns if the restored installation would start without the original secret', async () => {
    const [ours, other] = ['the secret of this installation here', 'the secret of another installation'];
    const set = inFolder('secret-set.gz');
    await stet(['backup', set], { ...env, SECRET_KEY: ours });
    const notInIt = containing("SECRET_KEY was set on the server that made the backup, and isn't in the file");
    expect(await stet(['restore', '--check', set], env)).toMatchObject({ code: 0, stderr: notInIt });
    expect((await restored(set)).outcome.stderr).toEqual(notInIt);
    const another = containing("differs from the backup's: people are signed out, Slack connections can't be read");
    expect((await restoredIn({ SECRET_KEY: other }, set)).outcome.stderr).toEqual(another);
    for (const known of [{ SECRET_KEY: ours }, { SECRET_KEY: other, SECRET_KEY_PREVIOUS: ours }])
      expect((await restoredIn(known, set)).outcome.stderr).not.toContain('SECRET_KEY');
    const backupWithSecret = inFolder('secret-kept.gz');
    await stet(['backup', backupWithSecret], env);
    expect((await restored(backupWithSecret)).outcome.stderr).not.toContain('SECRET_KEY');
    expect((await restoredIn({ SECRET_KEY: other }, backupWithSecret)).outcome.stderr).toEqual(another);
    expect(gunzipSync(readFileSync(set)).toString()).not.toContain(ours);
  });

  it('can be restored without its pending jobs', async () => {
    const file = inFolder('quiet.gz');
    await server.sql(
      `insert into outbox (task, payload, run_at) values ('notify_assignee', '{}', now() + interval '1 day')`,
    );
    await stet(['backup', file], env);
    const { outcome, database } = await restored(file, '--without-jobs', '--json');
    expect(JSON.parse(outcome.out)).toMatchObject({ jobs: 0 });
    expect(await contentOf(database.connection)).toMatchObject({ outbox: { rows: [] } });
  });

  it('can be restored as a copy for inspection that contacts nobody', async () => {
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
        `select (select bool_or(is_active) from webhooks) as hook_active, (select array_agg(state) from webhook_deliveries) as deliveries,
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
      hook_active: false,
      deliveries: ['dead'],
      news: 0,
      messages: ['failed'],
      slack: 0,
      digests: 0,
      held: 0,
    });
    const whole = await restored(file);
    expect(await look(whole.database)).toEqual({
      hook_active: true,
      deliveries: ['waiting'],
      news: 1,
      messages: ['waiting'],
      slack: 1,
      digests: 1,
      held: 2,
    });
  });
});

describe('a backup with --verify or --keep', () => {
  // Its audited data comes from calls, so that its trail is intact.
  let own: TestServer;
  let fileId: string;
  let ownEnv: Record<string, string>;
  beforeAll(async () => {
    own = await startTestServer();
    const person = await own.signUp();
    await publish(person, person, 'flow', [{ id: 'offer', title: 'Offer', config: { fields: [FILE_FIELD] } }]);
    const run = await start(person, 'flow');
    fileId = await upload(own, person, { runId: run.id, stepId: 'offer' }, randomBytes(300_000));
    await act(person, run.id, 'offer', 'complete', { output: { fields: { offer: [fileId] } } });
    // This table is unlogged, so the copy may lose its rows. The backup must still count as complete.
    await own.sql(`insert into rate_limits (key, window_start, count) values ('login', now(), 1)`);
    ownEnv = { DATABASE_URL: own.database.url, DATA_DIR: own.dataDir };
  });
  afterAll(() => own.stop());

  it('is restored and removed again, and is reported by doctor and metrics', async () => {
    const [folder, tmp] = [inFolder('verified'), inFolder('tmp')];
    mkdirSync(folder);
    mkdirSync(tmp);
    chmodSync(scene.folder, 0o711);
    chmodSync(tmp, 0o711);
    vi.stubEnv('TMPDIR', tmp);
    const { code, out, stderr } = await stet(['backup', folder, '--verify', '--json'], ownEnv);
    vi.unstubAllEnvs();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const made = JSON.parse(out) as { file: string; bytes: number; verifiedTrails: number; verifiedFiles: number };
    expect(made).toMatchObject({ verifiedTrails: 1, verifiedFiles: 1 });
    expect(readdirSync(tmp)).toEqual([]);
    expect((await stet(['doctor'], ownEnv)).out).toContain('The last backup was made 0 hours ago and was verified');
    const metrics = await own.anyone.get<string>('/metrics');
    expect(metrics).toContain(`stet_backup_last_success_bytes ${made.bytes}`);
    expect(metrics).toContain('stet_backup_last_success_verified 1');
    expect(metrics).toContain('stet_backup_failed 0');
    const at = Number(/^stet_backup_last_success_timestamp_seconds (.*)$/m.exec(metrics)?.[1]);
    expect(Math.abs(Date.now() / 1000 - at)).toBeLessThan(600);
  });

  it('fails if a trail in it is broken, and then deletes no older backup', async () => {
    const folder = inFolder('broken');
    mkdirSync(folder);
    const older = 'stet-backup-2020-01-01T00-00-00Z.jsonl.gz';
    writeFileSync(join(folder, older), '');
    const change = async (text: string): Promise<void> => {
      await own.sql('alter table audit_events disable trigger user');
      await own.sql(text);
      await own.sql('alter table audit_events enable trigger user');
    };
    await change(`update audit_events set action = 'run.paused' where action = 'run.started'`);
    const { code, stderr } = await stet(['backup', folder, '--verify', '--keep', '1'], ownEnv);
    await change(`update audit_events set action = 'run.started' where action = 'run.paused'`);
    expect({ code, stderr }).toEqual({ code: 1, stderr: containing('Audit trails are broken in the backup') });
    expect(readdirSync(folder)).toHaveLength(2);
    expect(await own.anyone.get('/metrics')).toContain('stet_backup_failed 1');
    expect((await stet(['doctor'], ownEnv)).out).toContain('failed: Audit trails are broken in the backup');
    // The next success replaces the failure.
    expect(await stet(['backup', folder, '--keep', '2'], ownEnv)).toMatchObject({ code: 0, stderr: containing(older) });
    expect(readdirSync(folder)).not.toContain(older);
    expect((await stet(['doctor'], ownEnv)).out).toContain('and was not verified');
  });

  it('fails if a file in it isn’t the one that the trail names', async () => {
    const flip = async (): Promise<void> => {
      await own.sql('alter table file_chunks disable trigger user');
      await own.sql('update file_chunks set bytes = set_byte(bytes, 9, get_byte(bytes, 9) # 1) where n = 0');
      await own.sql('alter table file_chunks enable trigger user');
    };
    await flip();
    const outcome = await stet(['backup', inFolder('flipped.gz'), '--verify'], ownEnv);
    await flip();
    expect(outcome).toMatchObject({ code: 1, stderr: containing(fileId) });
    expect(outcome.stderr).toContain('its bytes differ from those that were recorded');
  });

  it('is followed by the deletion of all but the newest backups, and of no other files', async () => {
    const folder = inFolder('many');
    mkdirSync(folder);
    const old = ['01', '02', '03'].map((day) => `stet-backup-2026-01-${day}T02-00-00Z.jsonl.gz`);
    for (const name of [...old, 'notes.txt', 'stet-backup-mine.jsonl.gz']) writeFileSync(join(folder, name), '');
    const { out } = await stet(['backup', folder, '--keep', '2', '--json'], env);
    expect(JSON.parse(out)).toMatchObject({ deleted: old.slice(0, 2) });
    const { file } = JSON.parse(out) as { file: string };
    expect(readdirSync(folder).toSorted()).toEqual(['notes.txt', old[2], basename(file), 'stet-backup-mine.jsonl.gz']);
  });

  it.each([
    [['--keep', '0'], 'must be 1 or more'],
    [['--keep', 'all'], 'must be 1 or more'],
  ])('is refused with %j', async (options, why) => {
    expect(await stet(['backup', inFolder('one/'), ...options], env)).toMatchObject({
      code: 2,
      stderr: containing(why),
    });
  });

  it('is refused with --keep if it isn’t written to a folder', async () => {
    expect(await stet(['backup', inFolder('one.gz'), '--keep', '2'], env)).toMatchObject({
      code: 2,
      stderr: containing('needs a folder'),
    });
  });
});
