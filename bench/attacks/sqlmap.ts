import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../apps/server/src/db/embedded/start-embedded-postgres.ts';
import { callerOf } from '../caller.ts';
import { ServerProcess } from '../server-process.ts';
import type { Outcome } from './outcome.ts';

const run = promisify(execFile);
const quiet = { info() {}, warn() {}, error: (data: object, message: string) => console.error(message, data) };
const PROGRAM = ['/usr/bin/sqlmap', '/usr/local/bin/sqlmap', '/opt/homebrew/bin/sqlmap'].find((file) =>
  existsSync(file),
);
/** For one of them; on an idle machine each is through in half a minute. */
const MINUTES = 5;
const FOUND = /identified the following injection point|is vulnerable|appears to be '.*' injectable/;

type Target = { path: string; parameters?: string; body?: object };

/** Addresses that end in a query of some width: searches, filters, cursors, keys in the path, a body. */
const TARGETS: readonly Target[] = [
  { path: '/api/runs?q=one&workflow=target', parameters: 'q,workflow' },
  { path: '/api/workflow-search?q=first', parameters: 'q' },
  { path: '/api/audit/events?q=one&action=run.started', parameters: 'q,action' },
  { path: '/api/workflows/target*/versions' },
  { path: '/api/auth/login', body: { email: 'someone@example.com*', password: 'a long enough one' } },
];

/** Lets sqlmap try some routes with parameters, where it is installed, and one that lets itself be injected. */
export async function attackWithSqlmap(port: number): Promise<Outcome[]> {
  const attack = 'SQL injection by sqlmap';
  if (!PROGRAM) return [{ attack, tried: '–', met: '–', findings: [], notProven: 'sqlmap is not installed here' }];
  const program = PROGRAM;
  const folder = mkdtempSync(join(tmpdir(), 'stet-attacks-'));
  chmodSync(folder, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: quiet });
  const { connection } = postgres;
  const url = `postgres://${connection.user}@${encodeURIComponent(connection.host)}:${connection.port}/${connection.database}`;
  const server = new ServerProcess(port, join(folder, 'server'), { DATABASE_URL: url });
  const planted = await plantInjectable(connection);
  try {
    await server.start();
    const token = await furnish(server);
    const tryAt = (base: string, target: Target, turn: number): Promise<string> =>
      tryOne(program, base, token, target, join(folder, `sqlmap-${turn}`));
    // Two at a time: each waits for the server about as long as it thinks.
    const lanes = [0, 1].map(async (turn) => {
      const said: [Target, string][] = [];
      for (const target of TARGETS.filter((_, n) => n % 2 === turn))
        said.push([target, await tryAt(server.url, target, turn)]);
      return said;
    });
    const control = tryAt(planted.url, { path: '/?name=one', parameters: 'name' }, 2);
    const findings = (await Promise.all(lanes)).flat().flatMap(([{ path }, said]) => {
      if (FOUND.test(said)) return [`${path}: ${said.slice(-800)}`];
      return /do not appear to be injectable/.test(said) ? [] : [`${path}: not to its end: ${said.slice(-300)}`];
    });
    if (!FOUND.test(await control)) findings.push(`the planted hole was not found: ${(await control).slice(-300)}`);
    return [
      {
        attack,
        tried: `${TARGETS.length} routes with parameters, level 2, each to the end, and a planted hole`,
        met: 'no parameter appears to be injectable but the planted one',
        findings,
      },
    ];
  } finally {
    await server.stop();
    await planted.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An account with a workflow and a run; answers its token. */
async function furnish({ url }: ServerProcess): Promise<string> {
  const account = { email: 'someone@example.com', name: 'Someone', password: 'a long enough one' };
  const { token } = await callerOf(url)<{ token: string }>('POST', '/api/auth/signup', account);
  const call = callerOf(url, token);
  const { draftId } = await call<{ draftId: string }>('POST', '/api/workflows/target/drafts', {
    metadata: { title: 'One' },
    steps: [{ id: 'first', title: 'First' }],
  });
  await call('POST', `/api/workflows/target/drafts/${draftId}/submit`);
  await call('POST', `/api/workflows/target/drafts/${draftId}/merge`);
  await call('POST', '/api/runs', { key: 'target', name: 'Run one' });
  return token;
}

/** A server that writes what it is asked for into its SQL, and tells nothing of what PostgreSQL says to that. */
async function plantInjectable(connection: pg.ClientConfig): Promise<{ url: string; stop: () => Promise<void> }> {
  const pool = new pg.Pool({ ...connection, max: 4 });
  pool.on('error', () => undefined);
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? '/', 'http://localhost').searchParams.get('name') ?? '';
    pool.query(`select name from (values ('one'), ('two')) as t (name) where name = '${name}'`).then(
      ({ rows }) => response.end(JSON.stringify(rows)),
      () => response.writeHead(500).end('{}'),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await pool.end();
    },
  };
}

async function tryOne(
  program: string,
  url: string,
  token: string,
  { path, parameters, body }: Target,
  output: string,
): Promise<string> {
  const args = [
    '-u',
    url + path,
    '--batch',
    '--level',
    '2',
    '--risk',
    '1',
    '--dbms',
    'PostgreSQL',
    '--technique',
    'BEUT',
    '--time-sec',
    '2',
    '--threads',
    '4',
    '--flush-session',
    '--disable-coloring',
    '--output-dir',
    output,
    '--ignore-code',
    '400,401,404',
    '-H',
    `Authorization: Bearer ${token}`,
    ...(parameters ? ['-p', parameters] : []),
    ...(body ? ['--data', JSON.stringify(body), '-H', 'Content-Type: application/json'] : []),
  ];
  try {
    const { stdout } = await run(program, args, {
      timeout: MINUTES * 60_000,
      maxBuffer: 2 ** 26,
      env: { ...process.env, HOME: output },
    });
    return stdout;
  } catch (error) {
    const { stdout = '', killed = false } = error as { stdout?: string; killed?: boolean };
    return killed ? `${stdout}\nTIMED OUT` : stdout || String(error);
  }
}
