import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmptyDatabase } from '../../testing/database.ts';
import { openVault } from '../../kernel/vault.ts';
import { startIdentityProvider } from '../../testing/identity-provider.ts';
import { type TestServer, startTestServer } from '../../testing/server.ts';
import { stet } from '../stet.fixture.ts';
import { clockFinding } from './check-database.ts';
import { checkNode, diskFinding } from './check-machine.ts';
import type { Finding } from './finding.ts';

describe('the doctor', () => {
  let server: TestServer;
  let env: Record<string, string>;
  const look = async (more: Record<string, string> = {}): Promise<{ code: number; findings: Finding[] }> => {
    const { code, out } = await stet(['doctor', '--json'], { ...env, ...more });
    return { code, findings: JSON.parse(out) as Finding[] };
  };
  const of = ({ findings }: { findings: Finding[] }, check: string): Finding[] =>
    findings.filter((finding) => finding.check === check);

  beforeAll(async () => {
    server = await startTestServer();
    await server.signUp();
    env = { DATABASE_URL: server.database.url, DATA_DIR: server.dataDir };
  });
  afterAll(() => server.stop());

  it('reports no failure for a healthy installation, but one for a broken audit trail', async () => {
    const { code, out } = await stet(['doctor'], env);
    expect(code).toBe(0);
    expect(out).not.toContain('FAILURE');
    const found = await look();
    expect(found.findings.filter(({ state }) => state === 'failure')).toEqual([]);
    const order = [
      'node',
      'settings',
      'address',
      'database',
      'migrations',
      'rights',
      'clock',
      'jobs',
      'audit',
      'data',
      'keys',
      'backup',
      'mail',
      'slack',
      'sign-in',
      'disk',
    ];
    expect([...new Set(found.findings.map(({ check }) => check))]).toEqual(order);
    for (const check of ['database', 'migrations', 'clock', 'audit', 'data', 'keys'])
      expect(of(found, check)).toMatchObject([{ state: 'ok' }]);
    // Tests run as a superuser.
    expect(of(found, 'rights')).toMatchObject([
      { state: 'warning', sentence: expect.stringContaining('is a superuser') as string },
    ]);
    await server.sql(
      `insert into audit_verifications (org_id, id, state, problem, is_broken) select id, id, 'broken', 'hash', true from organizations`,
    );
    expect(of(await look(), 'audit')).toMatchObject([{ state: 'failure' }]);
    await server.sql('delete from audit_verifications');
  });

  it('names every invalid setting', async () => {
    const found = await look({ PORT: 'x', SMTP_URL: 'y' });
    expect(found.code).toBe(1);
    expect(of(found, 'settings').map(({ sentence }) => sentence)).toEqual([
      'PORT must be a number from 0 to 65535.',
      'SMTP_URL must be an smtp:// or smtps:// address.',
    ]);
  });

  it("reports a database that isn't responding, an empty database, and a folder without an installation", async () => {
    const gone = await look({ DATABASE_URL: 'postgres://nobody@127.0.0.1:4231/stet' });
    expect(gone.code).toBe(1);
    expect(of(gone, 'database')[0]?.sentence).toContain('The database is not responding');
    expect(of(gone, 'disk')).toHaveLength(1);
    const empty = await createEmptyDatabase();
    expect(of(await look({ DATABASE_URL: empty.url }), 'migrations')[0]).toMatchObject({ state: 'failure' });
    await empty.drop();
    const nowhere = await stet(['doctor'], { DATA_DIR: join(server.dataDir, 'nowhere') });
    expect(nowhere).toMatchObject({ code: 1, out: expect.stringContaining('There is no installation in') as string });
  });

  it('checks the data directory even if the database is not responding or has not been used yet', async () => {
    const down = { DATABASE_URL: 'postgres://nobody@127.0.0.1:4231/stet' };
    expect(of(await look(down), 'data')).toMatchObject([{ state: 'ok' }]);
    const keys = join(server.dataDir, 'keys');
    const signingKey = join(keys, 'audit-signing.key');
    renameSync(signingKey, `${signingKey}.away`);
    expect(of(await look(down), 'data')).toMatchObject([
      { state: 'failure', sentence: `${signingKey} is missing. Mount its disk, or restore it from a backup.` },
    ]);
    renameSync(`${signingKey}.away`, signingKey);
    renameSync(keys, `${keys}-away`);
    expect(of(await look(down), 'keys')).toMatchObject([
      { state: 'warning', sentence: expect.stringContaining('If this installation was in use') as string },
    ]);
    renameSync(`${keys}-away`, keys);

    const empty = await createEmptyDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'stet-doctor-'));
    const first = { DATABASE_URL: empty.url, DATA_DIR: join(folder, 'data') };
    expect(of(await look(first), 'data')).toMatchObject([{ state: 'warning' }]);
    writeFileSync(first.DATA_DIR, '', { mode: 0o600 });
    expect(of(await look(first), 'data')).toMatchObject([
      { state: 'failure', sentence: `The server can't write to ${first.DATA_DIR} (EACCES).` },
    ]);
    rmSync(first.DATA_DIR);
    mkdirSync(first.DATA_DIR);
    expect(of(await look(first), 'data')).toMatchObject([{ state: 'ok' }]);
    rmSync(folder, { recursive: true });
    await empty.drop();
  });

  it('reports pending and unknown migrations, and a table without forced row-level security', async () => {
    const [last] = await server.sql<{ number: number; name: string; sha256: string }>(
      'select * from stet_migrations order by number desc limit 1',
    );
    await server.sql('delete from stet_migrations where number = $1', [last?.number]);
    expect(of(await look(), 'migrations')[0]).toMatchObject({
      state: 'warning',
      sentence: expect.stringContaining(last?.name ?? '?') as string,
    });
    await server.sql('insert into stet_migrations (number, name, sha256) values ($1, $2, $3), (9999, $4, $3)', [
      last?.number,
      last?.name,
      last?.sha256,
      '9999_later.sql',
    ]);
    expect(of(await look(), 'migrations')[0]).toMatchObject({
      state: 'failure',
      sentence: expect.stringContaining('9999_later.sql') as string,
    });
    await server.sql('delete from stet_migrations where number = 9999');
    await server.sql('alter table runs no force row level security');
    expect(of(await look(), 'rights')[0]).toMatchObject({
      state: 'failure',
      sentence: expect.stringContaining('runs') as string,
    });
    await server.sql('alter table runs force row level security');
  });

  it('reports overdue jobs and jobs that failed for good', async () => {
    await server.server.stop();
    await server.sql(
      `insert into outbox (task, payload, run_at) values ('notify_assignee', '{}', now() - interval '10 minutes')`,
    );
    await server.sql(`select graphile_worker.add_job('send_invitation', max_attempts => 1)`);
    await server.sql(
      `update graphile_worker._private_jobs set attempts = max_attempts, last_error = E'no such host\nat' where task_id = (select id from graphile_worker._private_tasks where identifier = 'send_invitation')`,
    );
    // A job that is running its last attempt hasn't failed.
    await server.sql(
      `insert into graphile_worker._private_jobs (task_id, attempts, max_attempts, locked_at, locked_by)
       select id, 1, 1, now(), 'a worker' from graphile_worker._private_tasks where identifier = 'send_invitation'`,
    );
    expect(of(await look(), 'jobs')).toMatchObject([
      { state: 'warning', sentence: 'A job has been waiting for 10 minutes. Is a server running?' },
      {
        state: 'warning',
        sentence: '1 job of send_invitation failed for good: no such host. To retry: stet jobs retry send_invitation',
      },
    ]);
  });

  it('reports keys that others can read, damaged keys and missing keys', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'stet-doctor-'));
    expect(of(await look({ DATA_DIR: dataDir }), 'keys')).toMatchObject([
      { state: 'failure', sentence: expect.stringContaining('restore the folder from a backup') as string },
    ]);
    const empty = await createEmptyDatabase();
    expect(of(await look({ DATA_DIR: dataDir, DATABASE_URL: empty.url }), 'keys')).toMatchObject([
      { state: 'warning' },
    ]);
    await empty.drop();
    rmSync(dataDir, { recursive: true });
    const key = join(server.dataDir, 'keys', 'audit-signing.key');
    chmodSync(key, 0o644);
    expect(of(await look(), 'keys')).toMatchObject([
      { state: 'failure', sentence: `Others can read ${key}. Run: chmod 600 ${key}` },
    ]);
    chmodSync(key, 0o600);
    writeFileSync(join(server.dataDir, 'keys', 'audit-signing.pub'), Buffer.alloc(32).toString('base64'));
    expect(of(await look(), 'keys')[0]?.sentence).toContain('is not the public half');
    writeFileSync(key, 'nothing');
    rmSync(join(server.dataDir, 'keys', 'secret'));
    expect(of(await look(), 'keys').map(({ state }) => state)).toEqual(['failure', 'failure']);
    expect(of(await look({ SECRET_KEY: 'x'.repeat(40) }), 'keys')).toHaveLength(1);
  });

  it("reports values sealed with a secret that isn't configured", async () => {
    const lost = 'a secret that nobody saved';
    const sealed = openVault(lost).seal('slack token', 'an organization', 'xoxb');
    await server.sql(
      `insert into slack_connections (org_id, team_id, team_name, sealed_token, connected_by)
       select current_org_id, 'T1', 'Halden', $1, id from users limit 1`,
      [sealed],
    );
    const found = await look();
    expect(found.code).toBe(1);
    expect(of(found, 'keys')[0]?.sentence).toContain(
      "1 connection to Slack was sealed with a secret that isn't configured",
    );
    const named = of(await look({ SECRET_KEY_PREVIOUS: lost }), 'keys');
    expect(named.map(({ sentence }) => sentence).join(' ')).not.toContain('sealed');
    await server.sql('delete from slack_connections');
  });

  it('checks the SMTP server without sending mail', async () => {
    let mails = 0;
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onMailFrom: (_, __, done) => {
        mails += 1;
        done();
      },
    });
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', () => resolve()));
    const { port } = smtp.server.address() as AddressInfo;
    expect(of(await look({ SMTP_URL: `smtp://127.0.0.1:${port}` }), 'mail')[0]).toMatchObject({ state: 'ok' });
    await new Promise<void>((resolve) => smtp.close(() => resolve()));
    const dead = await look({ SMTP_URL: `smtp://user:hidden@127.0.0.1:${port}` });
    expect(dead.code).toBe(1);
    expect(of(dead, 'mail')[0]?.state).toBe('failure');
    expect(JSON.stringify(dead)).not.toContain('hidden');
    expect(mails).toBe(0);
  });

  it('checks Slack if an app is set up, and reports what is missing', async () => {
    const called: string[] = [];
    const slack = createServer((request, response) => {
      called.push(request.url ?? '');
      response.setHeader('content-type', 'application/json').end('{"ok":true}');
    });
    await new Promise<void>((resolve) => slack.listen(0, '127.0.0.1', () => resolve()));
    const { port } = slack.address() as AddressInfo;
    const app = { SLACK_CLIENT_ID: '1', SLACK_CLIENT_SECRET: '2', SLACK_API_URL: `http://127.0.0.1:${port}/api/` };
    expect(of(await look(app), 'slack')[0]?.sentence).toContain('SLACK_SIGNING_SECRET is not set');
    expect(of(await look({ ...app, SLACK_SIGNING_SECRET: '3' }), 'slack')[0]).toMatchObject({ state: 'ok' });
    expect(called).toEqual(['/api/api.test']);
    await new Promise<void>((resolve) => slack.close(() => resolve()));
    expect(of(await look({ ...app, SLACK_SIGNING_SECRET: '3' }), 'slack')[0]).toMatchObject({ state: 'failure' });
  });

  it('checks the identity provider, and reports problems with it', async () => {
    const provider = await startIdentityProvider();
    const set = { ...provider.environment, PUBLIC_URL: 'https://stet.example' };
    const [found] = of(await look(set), 'sign-in');
    expect(found).toMatchObject({ state: 'ok' });
    expect(found?.sentence).toContain('https://stet.example/api/auth/oidc/callback');
    expect(of(await look(provider.environment), 'sign-in')[0]).toMatchObject({
      state: 'failure',
      sentence: expect.stringContaining('PUBLIC_URL is not set') as string,
    });
    const elsewhere = await look({ ...set, OIDC_ISSUER: `${provider.issuer}/elsewhere` });
    expect(of(elsewhere, 'sign-in')[0]?.sentence).toContain('does not respond like an OpenID Connect provider');
    const half = await look({ OIDC_ISSUER: provider.issuer });
    expect(of(half, 'settings')[0]?.sentence).toBe(
      'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together.',
    );
    await provider.stop();
    const gone = await look(set);
    expect(gone.code).toBe(1);
    expect(of(gone, 'sign-in')[0]?.sentence).toContain('is not responding: ');
  });
});

it.each([
  [0, 5, 'ok'],
  [900, 1000, 'ok'],
  [3000, 10, 'warning'],
  [-3000, 10, 'warning'],
  [-90_000, 10, 'failure'],
  [90_000, 10, 'failure'],
])('a database that is %d ms ahead after a round trip of %d ms is reported as %s', (apart, trip, state) => {
  expect(clockFinding(apart, trip).state).toBe(state);
});

it.each([
  [100, 100_000, 'failure'],
  [1000, 100_000, 'warning'],
  [4000, 100_000, 'warning'],
  [50_000, 100_000, 'ok'],
])('%d MiB free of %d MiB are reported as %s', (free, all, state) => {
  expect(diskFinding('/data', free * 1024 * 1024, all * 1024 * 1024).state).toBe(state);
});

it('reports an old Node.js as a failure', () => {
  expect(['18.0.0', '20.18.9', '20.19.0', '22.0.0'].map((version) => checkNode(version).state)).toEqual([
    'failure',
    'failure',
    'ok',
    'ok',
  ]);
});
