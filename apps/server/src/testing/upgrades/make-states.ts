/**
 * Creates the files in `states/`: databases and data directories as earlier commits wrote them. For each commit, starts
 * the commit's own server from its sources on an empty database, uses it over HTTP, stops it, and saves its data and
 * responses. The packages are those of this checkout, so they must be the ones that the commit uses.
 *
 * Usage: npx tsx apps/server/src/testing/upgrades/make-states.ts POSTGRES_URL COMMIT…
 *
 * `POSTGRES_URL` is a database of the superuser `postgres`: `pg_dump` must see the rows of all organizations, and the
 * dump names the user, who must exist where it is loaded. `pg_dump` must be installed and not older than the server. A
 * state takes about ten seconds.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import pg from 'pg';
import { addressCodeTo, linkIn, mailTo } from '../mailbox.ts';
import { type Call, useLaterParts } from './later-parts.ts';
import { PASSWORD, STATES_FOLDER, type SavedState } from './saved-state.ts';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const PORT_WAIT_MS = 60_000;
/** The largest window, which covers the whole state. */
const BEST = { params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS } };

const [postgres = '', ...commits] = process.argv.slice(2);
if (commits.length === 0) throw new Error('Usage: make-states.ts POSTGRES_URL COMMIT…');
async function makeState(commit: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'stet-state-'));
  const name = `state_${commit}`;
  const url = new URL(postgres);
  url.pathname = `/${name}`;
  await administer(`drop database if exists ${name}`, `create database ${name}`);
  try {
    checkOut(commit, folder);
    const dataDir = join(folder, 'data');
    const server = await startServer(folder, { DATABASE_URL: url.href, DATA_DIR: dataDir });
    let answers: Answers;
    try {
      answers = await useServer(server.url, dataDir, await lastMigrationOf(url.href));
    } finally {
      await server.stop();
    }
    const last = await lastMigrationOf(url.href);
    const state: SavedState = {
      commit: execFileSync('git', ['rev-parse', commit], { cwd: ROOT, encoding: 'utf8' }).trim(),
      schema: last.replace('.sql', ''),
      ...answers,
      files: filesIn(dataDir, ['keys', 'checkpoints']),
      sql: dump(url.href),
    };
    const file = `${state.schema.slice(0, 4)}-${state.commit.slice(0, 8)}.json.br`;
    writeFileSync(join(STATES_FOLDER, file), brotliCompressSync(JSON.stringify(state), BEST));
    return file;
  } finally {
    await administer(`drop database if exists ${name} with (force)`);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function administer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: postgres });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

async function lastMigrationOf(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ name: string }>('select name from stet_migrations order by number');
  await client.end();
  return rows.at(-1)?.name ?? '';
}

/** Writes the commit's sources to a folder, with this checkout's packages and the commit's own workspaces. */
function checkOut(commit: string, folder: string): void {
  const archive = execFileSync('git', ['archive', commit, 'package.json', 'tsconfig.base.json', 'packages', 'apps'], {
    cwd: ROOT,
    maxBuffer: 1 << 30,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@stet'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@stet') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  for (const name of readdirSync(join(folder, 'packages')))
    symlinkSync(join(folder, 'packages', name), join(modules, '@stet', name));
}

async function startServer(folder: string, env: Record<string, string>) {
  const port = await freePort();
  // The launcher in .bin isn't used, because it would start the program as a child process that doesn't receive
  // signals.
  const child = spawn(process.execPath, ['--import', 'tsx', 'apps/server/src/main.ts'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      PORT: String(port),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      MAIL_BATCH_SECONDS: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + PORT_WAIT_MS;
  for (;;) {
    const response = await fetch(`${url}/api/ready`).catch(() => null);
    if (response?.status === 200) break;
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`the server didn't start: ${output.trim().slice(-500)}`);
    }
    await sleep(200);
  }
  return { url, stop: () => stopServer(child) };
}

async function stopServer(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const clientOf =
  (url: string, token: string | null): Call =>
  async <T>(method: string, path: string, body?: unknown) => {
    const isFile = Buffer.isBuffer(body);
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
      },
      ...(body !== undefined && { body: isFile ? Uint8Array.from(body) : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  };

type Answers = Pick<SavedState, 'people' | 'versions' | 'runs' | 'answers'>;

/**
 * Creates a workflow with two versions, a completed run and a run that waits for its second step. From migration 0187
 * on, a third person joins, and the later features are used.
 */
async function useServer(url: string, dataDir: string, schema: string): Promise<Answers> {
  const owner = { email: 'ada@example.com', name: 'Ada Byron' };
  const reviewer = { email: 'ben@example.com', name: 'Ben Okri' };
  const editor = { email: 'cara@example.com', name: 'Cara Lind' };
  const anyone = clientOf(url, null);
  const signedUp = await anyone<{ token: string; user: { id: string; currentOrgId: string } }>(
    'POST',
    '/api/auth/signup',
    {
      ...owner,
      password: PASSWORD,
      accountType: 'organization',
      organizationName: 'Halden Works',
      organizationSlug: 'halden-works',
    },
  );
  const orgId = signedUp.user.currentOrgId;
  const ada = { id: signedUp.user.id, email: owner.email, call: clientOf(url, signedUp.token) };
  await proveAddress(ada.call, dataDir, owner.email);
  const join = async ({ email, name }: typeof owner, role: string) => {
    await ada.call('POST', `/api/organizations/${orgId}/invitations`, { email, role });
    const token = linkIn(await mailTo(dataDir, email), '/invite/')
      .split('/')
      .at(-1);
    await anyone('POST', `/api/invitations/${token}/accept`, { name, password: PASSWORD });
    const login = { email, password: PASSWORD };
    const signedIn = await anyone<{ token: string; user: { id: string } }>('POST', '/api/auth/login', login);
    return { id: signedIn.user.id, email, call: clientOf(url, signedIn.token) };
  };
  const ben = await join(reviewer, 'reviewer');
  for (const title of ['Vendor onboarding', 'Onboarding of vendors'])
    await publish(ada.call, ben.call, KEY, { metadata: { title }, steps: STEPS });
  for (const [name, steps] of [
    ['Acme', ['register', 'archive']],
    ['Globex', ['register']],
  ] as const) {
    const { id } = await ada.call<{ id: string }>('POST', '/api/runs', { key: KEY, name });
    for (const stepId of steps)
      await ada.call('POST', `/api/runs/${id}/complete`, { stepId, output: { text: `${name}: ${stepId}` } });
  }
  const versions = await ada.call<SavedState['versions']>('GET', `/api/workflows/${KEY}/versions`);
  const runs = [];
  for (const { id } of await ada.call<{ id: string }[]>('GET', '/api/runs'))
    runs.push(await ada.call<SavedState['runs'][number]>('GET', `/api/runs/${id}`));
  if (schema < '0187') return { people: [owner, reviewer], versions, runs };
  const answers = await useLaterParts({
    orgId,
    schema,
    people: [ada, ben, await join(editor, 'editor')],
    open: { key: KEY, runId: runs.find(({ status }) => status === 'running')?.id ?? '' },
    publish: (key, content) => publish(ada.call, ben.call, key, content),
  });
  return { people: [owner, reviewer, editor], versions, runs, answers };
}

const KEY = 'vendor-onboarding';
const STEPS = [
  { id: 'register', title: 'Register the vendor', sla: '1 day' },
  { id: 'archive', title: 'Archive the contract', sla: '2 days' },
];

async function publish(author: Call, reviewer: Call, key: string, content: object): Promise<void> {
  const drafts = `/api/workflows/${key}/drafts`;
  const { draftId } = await author<{ draftId: string }>('POST', drafts, content);
  await author('POST', `${drafts}/${draftId}/submit`);
  await reviewer('POST', `${drafts}/${draftId}/approve`);
  await author('POST', `${drafts}/${draftId}/merge`);
}

/** Proves the address, unless the commit is older than this route. */
async function proveAddress(person: Call, dataDir: string, email: string): Promise<void> {
  const isSent = await person('POST', '/api/auth/prove-address/code').then(
    () => true,
    (error: Error) => {
      if (/: 404 /.test(error.message)) return false;
      throw error;
    },
  );
  if (!isSent) return;
  await person('POST', '/api/auth/prove-address', { code: await addressCodeTo(dataDir, email) });
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The files in some folders of the data directory: their paths, and their content in base64. */
function filesIn(dataDir: string, folders: string[]): Record<string, string> {
  const paths = folders.flatMap((folder) => listFolder(join(dataDir, folder)).map((name) => join(folder, name)));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(dataDir, path)).toString('base64')]));
}

/** The database as SQL without the meta-commands of `psql`. */
function dump(url: string): string {
  const sql = execFileSync('pg_dump', ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-comments', url], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return sql
    .split('\n')
    .filter((line) => !/^\\(?:un)?restrict /.test(line))
    .join('\n');
}

mkdirSync(STATES_FOLDER, { recursive: true });
for (const commit of commits) {
  try {
    const file = await makeState(commit);
    process.stdout.write(`${commit}: ${file}\n`);
  } catch (error) {
    process.stdout.write(`${commit}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
