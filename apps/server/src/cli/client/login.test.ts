import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { User } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { organizationToken, personalToken } from '../../testing/api-tokens.ts';
import { teamOf } from '../../testing/organization.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';
import { stet } from '../stet.fixture.ts';
import { serverAddress } from './saved-login.ts';

const PASSWORD = 'a long enough one';

describe('signing in', () => {
  let server: TestServer;
  let editor: Person;
  let config: string;
  let env: { XDG_CONFIG_HOME: string };
  let url: string;
  const file = () => join(config, 'stet', 'login.json');
  const savedLogin = () =>
    JSON.parse(readFileSync(file(), 'utf8')) as { token: string; organization: { name: string } };

  beforeAll(async () => {
    server = await startTestServer();
    ({ url } = server.server);
    ({ editor } = await teamOf(server, ['editor']));
    config = mkdtempSync(join(tmpdir(), 'stet-cli-config-'));
    env = { XDG_CONFIG_HOME: config };
  });
  afterAll(async () => {
    await server.stop();
    rmSync(config, { recursive: true });
  });

  it('saves a session that only its owner can read, and ends it when logging out', async () => {
    const login = await stet(['login', url, '--email', editor.user.email], env, { input: `${PASSWORD}\n` });
    expect(login).toMatchObject({ code: 0, out: '' });
    expect(login.stderr).toContain(`as ${editor.user.email}, in Team `);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readFileSync(file(), 'utf8')).not.toContain(PASSWORD);
    const session = server.as(savedLogin().token);
    expect((await session.get<User>('/api/auth/me')).email).toBe(editor.user.email);
    expect(await stet(['runs', 'list', '--json'], env)).toMatchObject({ code: 0, out: '[]\n' });

    expect(await stet(['logout'], env)).toMatchObject({ code: 0 });
    expect(await session.call('GET', '/api/auth/me')).toMatchObject({ status: 401 });
    expect(await stet(['runs', 'list'], env)).toMatchObject({ code: 4, out: '' });
    expect(await stet(['logout'], env)).toMatchObject({ code: 0, stderr: 'You are not signed in.\n' });
  });

  it.each([
    ['in the environment', (token: string) => stet(['login', url], { ...env, STET_TOKEN: token })],
    ['on standard input', (token: string) => stet(['login', url, '--token'], env, { input: `${token}\n` })],
  ])('uses a token %s, and leaves it valid when logging out', async (_, login) => {
    expect(await login(editor.token)).toMatchObject({ code: 0 });
    expect(savedLogin().token).toBe(editor.token);
    await stet(['logout'], env);
    expect(await editor.call('GET', '/api/auth/me')).toMatchObject({ status: 200 });
  });

  it("acts as a personal API token's owner in the token's organization, and doesn't revoke the token on logout", async () => {
    const token = await personalToken(server, editor, ['workflow.read', 'draft.edit']);
    expect(token.secret).toMatch(/^stet_pat_[\w-]{43}$/);
    const login = await stet(['login', url, '--token'], env, { input: `${token.secret}\n` });
    expect(login).toMatchObject({ code: 0, out: '' });
    expect(login.stderr).toContain(`as ${editor.user.email}, in Team `);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(savedLogin()).toMatchObject({ kind: 'token', token: token.secret });
    const elsewhere = ['login', url, '--token', '--organization', 'Nowhere'];
    expect(await stet(elsewhere, env, { input: token.secret })).toMatchObject({ code: 1 });

    const folder = join(config, 'workflows');
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'by-token.yaml'),
      'metadata:\n  title: By a token\nsteps:\n  - id: first\n    title: First\n',
    );
    expect(await stet(['workflows', 'push', folder], env)).toMatchObject({ code: 0 });
    const { creator } = await editor.get<{ creator: { name: string } }>('/api/workflows/by-token');
    expect(creator.name).toContain(editor.user.name);
    // The token lacks this scope.
    expect(await stet(['runs', 'start', 'by-token', '--name', 'A run'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("doesn't have the permission run.start") as string,
    });

    expect(await stet(['logout'], env)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('is still valid') as string,
    });
    expect(await token.call('GET', '/api/auth/me')).toMatchObject({ status: 200 });
    await editor.call('DELETE', `/api/tokens/${token.id}`);
    expect(await stet(['login', url, '--token'], env, { input: token.secret })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('unknown, expired or revoked') as string,
    });
  });

  it('accepts a token that belongs to an organization and not to a person', async () => {
    const { owner } = await teamOf(server, []);
    const robot = await organizationToken(server, owner, 'viewer');
    expect(robot.secret).toMatch(/^stet_(?!pat_)[a-z]+_/);
    expect(await stet(['login', url, '--token'], env, { input: robot.secret })).toMatchObject({ code: 0 });
    expect(await stet(['runs', 'list', '--json'], env)).toMatchObject({ code: 0, out: '[]\n' });
    await stet(['logout'], env);
  });

  it('needs no saved sign-in if the environment contains a server and a token', async () => {
    const given = { ...env, STET_URL: url, STET_TOKEN: editor.token };
    expect(await stet(['runs', 'list', '--json'], given)).toMatchObject({ code: 0, out: '[]\n' });
  });

  it('selects the requested organization, and works only in that one', async () => {
    const ellen = await server.signUp({ name: 'Ellen', team: 'Northwind' });
    await ellen.post('/api/organizations', { name: 'Southwind', slug: `southwind-${process.pid}` });
    const login = (name: string) =>
      stet(['login', url, '--token', '--organization', name], env, { input: ellen.token });
    expect(await login('Nowhere')).toMatchObject({ code: 1, stderr: expect.stringContaining('Northwind') as string });
    expect(await login('Northwind')).toMatchObject({ code: 0 });
    expect(savedLogin().organization.name).toBe('Northwind');
    await stet(
      ['login', url, '--token', '--organization', 'Southwind'],
      { XDG_CONFIG_HOME: join(config, 'other') },
      { input: ellen.token },
    );
    expect(await stet(['runs', 'list'], env)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('You selected a different organization') as string,
    });
    await stet(['logout'], env);
  });

  it('explains what is missing or wrong', async () => {
    const stderr = (text: string) => expect.stringContaining(text) as string;
    expect(await stet(['login', url], env)).toMatchObject({ code: 2, stderr: stderr('--email') });
    expect(await stet(['login', 'no address?'], env)).toMatchObject({
      code: 2,
      stderr: stderr('is not a server address'),
    });
    expect(await stet(['login', url, '--email', editor.user.email], env, { input: 'wrong one' })).toMatchObject({
      code: 4,
      stderr: 'Wrong email or password.\n',
    });
    expect(await stet(['login', 'http://127.0.0.1:4230', '--token'], env, { input: 'x'.repeat(40) })).toMatchObject({
      code: 5,
      stderr: stderr('http://127.0.0.1:4230 is not responding: ECONNREFUSED'),
    });
    expect(await stet(['login', url, '--token'], env, { input: 'x'.repeat(40) })).toMatchObject({ code: 4 });
    await stet(['login', url, '--token'], env, { input: editor.token });
    writeFileSync(file(), '{');
    expect(await stet(['runs', 'list'], env)).toMatchObject({ code: 4, stderr: stderr('is damaged') });
  });
});

it.each([
  ['stet.example.com', 'https://stet.example.com'],
  ['https://example.com/stet/', 'https://example.com/stet'],
  ['localhost:3000', 'http://localhost:3000'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
])('resolves the server "%s" to %s', (typed, address) => {
  expect(serverAddress(typed)).toBe(address);
});
