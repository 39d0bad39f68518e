// npx tsx bench/behind-nginx.ts [--port 4430]
// Runs two nodes behind deploy/nginx.conf and checks the effects of its settings. Exits with 1 if an effect is missing.
// Needs nginx, and root, because the second node uses the first node's embedded PostgreSQL.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { callerOf } from './caller.ts';
import { familyOf } from './load/cpu.ts';
import { ServerProcess } from './server-process.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '4430' } } });
const port = Number(values.port);
const folder = mkdtempSync(join(tmpdir(), 'stet-nginx-'));
const front = `http://127.0.0.1:${port}`;
let failures = 0;
const check = (holds: boolean, sentence: string): void => {
  console.log(`${holds ? 'ok ' : 'NOT'} ${sentence}`);
  if (!holds) failures += 1;
};

const SETTINGS = {
  TRUST_PROXY: '1',
  RATE_LIMITS: 'on',
  PUBLIC_URL: front,
  SECRET_KEY: 'one secret for both of the nodes',
};
const one = new ServerProcess(port + 1, join(folder, 'one'), SETTINGS);
await one.start();
// The fifth line of PostgreSQL's pid file is its socket's directory.
const socket = readFileSync(join(folder, 'one/postgres/postmaster.pid'), 'utf8').split('\n')[4] ?? '';
cpSync(join(folder, 'one/keys'), join(folder, 'two/keys'), { recursive: true });
const two = new ServerProcess(port + 2, join(folder, 'two'), {
  ...SETTINGS,
  DATABASE_URL: `postgres://postgres@${encodeURIComponent(socket)}:5432/stet`,
});
await two.start();
const nginx = await startNginx();

try {
  const email = 'ada@example.com';
  const password = 'a long enough one';
  const { token } = await callerOf(front)<{ token: string }>('POST', '/api/auth/signup', {
    email,
    name: 'Ada',
    password,
  });
  const ada = callerOf(front, token);

  const before = [await servedBy(one), await servedBy(two)];
  await Promise.all(Array.from({ length: 40 }, () => ada('GET', '/api/auth/me')));
  const served = [(await servedBy(one)) - (before[0] ?? 0), (await servedBy(two)) - (before[1] ?? 0)];
  check(
    served.every((n) => n >= 10),
    `both nodes serve: ${served.join(' and ')} of 40 requests`,
  );
  await sleep(500);
  const openConnections = connectionsOf(familyOf(nginx.pid ?? 0), [port + 1, port + 2]);
  check(openConnections > 0, `nginx keeps its connections to the nodes open between requests: ${openConnections}`);

  for (const path of ['/metrics', '/api/ready'])
    check((await fetch(front + path)).status === 404, `${path} is not forwarded`);

  const posted = async (path: string, bytes: number): Promise<{ status: number; isOurs: boolean }> => {
    const response = await fetch(front + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ metadata: { title: 'x'.repeat(bytes) } }),
    });
    return { status: response.status, isOurs: (response.headers.get('content-type') ?? '').includes('json') };
  };
  const large = await posted('/api/workflows/nothing/drafts', 3_900_000);
  check(large.status < 413 && large.isOurs, `a draft of 3.9 MB reaches the node (${large.status})`);
  const over = await posted('/api/workflows', 3_900_000);
  check(
    over.status === 413 && over.isOurs,
    `a body that is too large for its route is refused by the node (${over.status})`,
  );
  const tooLarge = await posted('/api/workflows/nothing/drafts', 5_500_000);
  check(tooLarge.status === 413 && !tooLarge.isOurs, `5.5 MB are refused by nginx (${tooLarge.status})`);

  const late = await lateness(token, () => ada('PATCH', '/api/users/me', { name: 'Ada Two' }));
  check(late !== null && late < 2000, `an event arrives immediately, after ${Math.round(late ?? Infinity)} ms`);

  let refused = 0;
  for (let n = 0; n < 80 && refused === 0; n += 1) {
    const response = await fetch(`${front}/api/waitlist/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${n}` },
      body: JSON.stringify({ email: `nobody-${n}@example.com` }),
    });
    if (response.status === 429) refused = n + 1;
  }
  check(refused > 0, `an invented address is ignored: limited at attempt ${refused}`);

  await two.kill({ withDatabase: false });
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => fetch(`${front}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })),
  );
  check(
    answers.every(({ status }) => status === 200),
    'with one node killed, all 40 reads are answered',
  );
  await ada('PATCH', '/api/users/me', { name: 'Ada Three' });
  check((await ada<{ name: string }>('GET', '/api/auth/me')).name === 'Ada Three', 'and changes are saved');
} finally {
  nginx.kill('SIGQUIT');
  await two.stop();
  await one.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

/** Starts a separate nginx with the original file and our ports. */
async function startNginx(): Promise<ChildProcess> {
  const site = readFileSync(fileURLToPath(new URL('../deploy/nginx.conf', import.meta.url)), 'utf8')
    .replace('127.0.0.1:3001', `127.0.0.1:${port + 1}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${port + 2}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `user root; daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {} http { access_log off; ${paths.join(' ')}\n${site}}`,
  );
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], {
    stdio: 'inherit',
  });
  for (let tries = 0; tries < 50; tries += 1) {
    if (
      await fetch(`${front}/api/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return child;
    await sleep(100);
  }
  throw new Error(`nginx does not answer:\n${readFileSync(join(folder, 'error.log'), 'utf8')}`);
}

/** Returns how many requests for the signed-in person a node has answered. */
async function servedBy({ url }: ServerProcess): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(
    /http_request_duration_seconds_count\{method="GET",route="\/api\/auth\/me",status="200"\} (\d+)/.exec(text)?.[1] ??
      0,
  );
}

/**
 * Returns the number of established connections from these processes to these ports, as listed by the kernel.
 */
function connectionsOf(pids: readonly number[], ports: readonly number[]): number {
  const ownSockets = new Set(pids.flatMap(socketsOf));
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , remote = '', state, , , , , , inode = '']) => {
      const to = Number.parseInt(remote.split(':')[1] ?? '', 16);
      return state === '01' && ports.includes(to) && ownSockets.has(inode);
    }).length;
}

/** Returns the inodes of a process's sockets. */
function socketsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    } catch {
      // The socket was closed in the meantime.
      return [];
    }
  });
}

/**
 * Returns the milliseconds from a change to its event, through the proxy, or null if no event arrives within ten
 * seconds.
 */
async function lateness(token: string, change: () => Promise<unknown>): Promise<number | null> {
  const disconnect = new AbortController();
  const response = await fetch(`${front}/api/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.any([disconnect.signal, AbortSignal.timeout(10_000)]),
  });
  const decoder = new TextDecoder();
  let began = 0;
  try {
    for await (const chunk of response.body ?? []) {
      if (began === 0) {
        began = performance.now();
        await change();
      } else if (decoder.decode(chunk as Uint8Array).includes('changed')) return performance.now() - began;
    }
  } catch {
    return null;
  } finally {
    disconnect.abort();
  }
  return null;
}
