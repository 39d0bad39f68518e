import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { callerOf } from '../caller.ts';
import { quantile } from '../figures.ts';
import { ServerProcess } from '../server-process.ts';
import { type Outcome, within } from './outcome.ts';
import { sendRaw, statusesIn } from './raw-http.ts';

const SLOW = 300;
/** What the server gives a request's head and the whole of it, and how often it looks. */
const CLOSED_WITHIN_MS = 75_000;
const SERVED_WITHIN_MS = 5000;
const MEMORY_MIB = 160;

/** What comes through the socket itself: slow, large, compressed, contradictory. */
export async function attackFrontDoor(port: number): Promise<Outcome[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stet-attacks-'));
  const server = new ServerProcess(port, dataDir);
  try {
    await server.start();
    const account = { email: 'door@example.com', name: 'Door', password: 'a long enough one' };
    const { token } = await callerOf(server.url)<{ token: string }>('POST', '/api/auth/signup', account);
    // The slow ones wait all the while, so whatever else is served is served beside them.
    const slow = drip(server, token);
    await sleep(1000);
    const others = [
      await oversized(server, token),
      await compressed(server, token),
      await headers(port),
      await smuggled(port),
      await paths(port),
    ];
    return [await slow, ...others];
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function drip({ url, port }: ServerProcess, token: string): Promise<Outcome> {
  const findings: string[] = [];
  const sockets = new Set<Socket>();
  const began = performance.now();
  let lastClosed = 0;
  for (let n = 0; n < 2 * SLOW; n += 1) {
    const socket = connect(port, '127.0.0.1');
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.resume();
    socket.on('close', () => {
      sockets.delete(socket);
      lastClosed = performance.now() - began;
    });
    const isHead = n % 2 === 0;
    socket.write(
      isHead
        ? 'GET /api/health HTTP/1.1\r\nHost: x\r\n'
        : `POST /api/auth/login HTTP/1.1\r\nHost: x\r\ncontent-type: application/json\r\ncontent-length: 200\r\n\r\n{`,
    );
  }
  const dripping = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('a');
  }, 3000);
  const times: number[] = [];
  try {
    while (sockets.size > 0 && performance.now() - began < CLOSED_WITHIN_MS) {
      const from = performance.now();
      const answer = await within(
        SERVED_WITHIN_MS * 4,
        'a request beside the slow ones',
        fetch(`${url}/api/workflows`, { headers: { authorization: `Bearer ${token}` } }),
      );
      await answer.arrayBuffer();
      if (answer.status !== 200) findings.push(`beside the slow ones: ${answer.status}`);
      times.push(performance.now() - from);
      await sleep(250);
    }
  } catch (error) {
    findings.push(error instanceof Error ? error.message : String(error));
  } finally {
    clearInterval(dripping);
  }
  const p99 = quantile(times, 0.99);
  if (p99 > SERVED_WITHIN_MS) findings.push(`others waited ${Math.round(p99)} ms`);
  if (sockets.size > 0)
    findings.push(`${sockets.size} slow connections are still open after ${CLOSED_WITHIN_MS / 1000} s`);
  for (const socket of sockets) socket.destroy();
  return {
    attack: 'Slow-loris',
    tried: `${SLOW} connections that never end their headers and ${SLOW} that never end their body`,
    met: `${times.length} others served beside them, p99 ${Math.round(p99)} ms; all closed after ${Math.round(lastClosed / 1000)} s`,
    findings,
  };
}

const memoryOf = (pid: number | undefined): number | null => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return null;
  }
};

async function oversized(server: ServerProcess, token: string): Promise<Outcome> {
  const findings: string[] = [];
  const { port } = server;
  const before = memoryOf(server.pid);
  let most = before ?? 0;
  const head = (path: string, more: string): string =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n${more}\r\n\r\n`;
  const text = (mib: number): string => `{"name":"${'x'.repeat(mib * 2 ** 20)}"}`;
  const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  let calls = 0;
  let cut = 0;
  for (let round = 0; round < 6; round += 1) {
    const heard = await Promise.all(
      [
        ['/api/auth/login', 1],
        ['/api/workflows/large/drafts', 5],
        ['/api/runs', 16],
        ['/api/workflows/large/import-yaml', 16],
      ].flatMap(([path, mib]) => {
        const body = text(Number(mib));
        return [
          sendRaw(port, head(String(path), `content-length: ${body.length}`) + body, 20_000),
          sendRaw(port, head(String(path), 'transfer-encoding: chunked') + chunked(body), 20_000),
          sendRaw(port, head(String(path), 'content-length: 99999999999'), 20_000),
        ];
      }),
    );
    calls += heard.length;
    for (const each of heard) {
      // Who still sends when the connection is cut may not come to read why.
      if (each === '') cut += 1;
      else if (statusesIn(each)[0] !== 413) findings.push(`an oversized body: ${each.slice(0, 60)}`);
    }
    most = Math.max(most, memoryOf(server.pid) ?? 0);
  }
  const grown = before === null ? null : Math.round(most - before);
  if (grown !== null && grown > MEMORY_MIB) findings.push(`the server grew by ${grown} MiB`);
  return {
    attack: 'Oversized bodies',
    tried: `${calls} bodies of 1 to 16 MiB, with a length, in chunks, and a length of 93 GiB`,
    met: `413, or cut off before it could be read (${cut}); ${grown === null ? 'memory not measured here' : `the server’s memory grew by ${Math.max(0, grown)} MiB at most`}`,
    findings,
  };
}

async function compressed({ url }: ServerProcess, token: string): Promise<Outcome> {
  const findings: string[] = [];
  const body = Buffer.from(`{"name":"${'0'.repeat(64 * 2 ** 20)}"}`);
  const bombs = {
    gzip: gzipSync(body),
    deflate: deflateSync(body),
    br: brotliCompressSync(body.subarray(0, 2 ** 20)),
    'gzip, gzip': gzipSync(gzipSync(body)),
  };
  const paths = [
    '/api/runs',
    '/api/auth/login',
    '/api/workflows/bomb/import-yaml',
    '/api/integrations/slack/interactivity',
  ];
  for (const path of paths) {
    const type = path.endsWith('yaml')
      ? 'text/yaml'
      : path.endsWith('interactivity')
        ? 'application/x-www-form-urlencoded'
        : 'application/json';
    for (const [encoding, bomb] of Object.entries(bombs)) {
      const answer = await fetch(url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': type, 'content-encoding': encoding },
        body: new Uint8Array(bomb),
      });
      await answer.arrayBuffer();
      if (answer.status !== 415 && answer.status !== 413) findings.push(`${encoding} at ${path}: ${answer.status}`);
    }
  }
  return {
    attack: 'Compressed bodies',
    tried: `${paths.length * Object.keys(bombs).length} bodies of 64 MiB within some kB: gzip, deflate, br, gzip twice`,
    met: '415: nothing is unpacked',
    findings,
  };
}

async function headers(port: number): Promise<Outcome> {
  const findings: string[] = [];
  const floods = [
    Array.from({ length: 5000 }, (_, n) => `x-${n}: 1\r\n`).join(''),
    `x-large: ${'x'.repeat(2 ** 20)}\r\n`,
    `cookie: ${'a=b; '.repeat(20_000)}\r\n`,
    `authorization: Bearer ${'a'.repeat(60_000)}\r\n`,
    `x: ${'\t'.repeat(30_000)}\r\n`,
  ];
  for (const flood of floods) {
    const heard = await sendRaw(port, `GET /api/workflows HTTP/1.1\r\nhost: x\r\n${flood}\r\n`);
    const [status = 0] = statusesIn(heard);
    if (status < 400 || status >= 500) findings.push(`a flood of headers: ${status || 'no answer'}`);
  }
  const long = statusesIn(await sendRaw(port, `GET /${'a'.repeat(200_000)} HTTP/1.1\r\nhost: x\r\n\r\n`));
  if (!(long[0] && long[0] >= 400 && long[0] < 500)) findings.push(`an address of 200 kB: ${long[0] ?? 'no answer'}`);
  return {
    attack: 'Header floods',
    tried: `${floods.length} heads of 5 000 fields or up to 1 MiB, an address of 200 kB`,
    met: 'refused before they are read to the end',
    findings,
  };
}

async function smuggled(port: number): Promise<Outcome> {
  const findings: string[] = [];
  const inner = 'GET /api/ready HTTP/1.1\r\nhost: x\r\n\r\n';
  const chunk = '0\r\n\r\n';
  const tries: Record<string, string> = {
    'length and chunks': `content-length: ${chunk.length + inner.length}\r\ntransfer-encoding: chunked\r\n\r\n${chunk}${inner}`,
    'chunks and length': `transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n${chunk}${inner}`,
    'two lengths': `content-length: 0\r\ncontent-length: ${inner.length}\r\n\r\n${inner}`,
    'lengths in one field': `content-length: 0, ${inner.length}\r\n\r\n${inner}`,
    'a length with a sign': `content-length: +0\r\n\r\n${inner}`,
    'chunked and something else': `transfer-encoding: chunked, identity\r\n\r\n${chunk}${inner}`,
    'a disguised encoding': `transfer-encoding: xchunked\r\n\r\n${chunk}${inner}`,
    'white space before the colon': `transfer-encoding : chunked\r\ncontent-length: ${chunk.length}\r\n\r\n${chunk}${inner}`,
    'a folded field': `transfer-encoding:\r\n chunked\r\ncontent-length: ${chunk.length + inner.length}\r\n\r\n${chunk}${inner}`,
    'a chunk size that is none': `transfer-encoding: chunked\r\n\r\n-1\r\n${inner}`,
    'a chunk extension over lines': `transfer-encoding: chunked\r\n\r\n1;a\n\r\nx\r\n${chunk}${inner}`,
    'lines ended by LF alone': `content-length: 0\n\n${inner}`,
    'NUL in a field': `x: a\u0000b\r\n\r\n${inner}`,
  };
  for (const [name, rest] of Object.entries(tries)) {
    const heard = await sendRaw(port, `POST /api/auth/logout HTTP/1.1\r\nhost: x\r\n${rest}`, 3000);
    const statuses = statusesIn(heard);
    if (statuses.includes(200)) findings.push(`${name}: the hidden request was answered`);
    if (statuses[0] !== 400) findings.push(`${name}: ${statuses.join(', ') || 'no answer'}`);
  }
  return {
    attack: 'Request smuggling',
    tried: `${Object.keys(tries).length} requests whose end can be read in two ways`,
    met: '400, the connection closed, no hidden request answered',
    findings,
  };
}

async function paths(port: number): Promise<Outcome> {
  const findings: string[] = [];
  const dots = ['../', '..%2f', '%2e%2e/', '%2e%2e%2f', '..%5c', '..%c0%af', '%252e%252e%252f', '....//', '..;/'];
  const targets = ['package.json', 'apps/server/dist/main.js', 'etc/passwd', 'proc/self/environ'];
  const tries = [
    ...['/', '/assets/', '/api/', '/api/docs/static/'].flatMap((start) =>
      dots.flatMap((dot) => targets.map((target) => start + dot.repeat(8) + target)),
    ),
    '//etc/passwd',
    '///etc/passwd',
    '/%2fetc/passwd',
    '/index.html%00.js',
    '/assets/%00',
    '/%00',
    '/.git/config',
    '/.env',
    '/assets/../../../../package.json',
    'http://evil.example/etc/passwd',
    '/.built-from',
    '/%',
    '/%zz',
    '/\\..\\..\\package.json',
  ];
  for (const path of tries) {
    const heard = await sendRaw(port, `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    const [status = 0] = statusesIn(heard);
    if (/root:.*:0:0|"workspaces"|PATH=|startServer|\[core\]|^[0-9a-f]{40,64}\s*$/m.test(heard))
      findings.push(`${path} gives a file`);
    if (status === 0 || status >= 500) findings.push(`${path}: ${status || 'no answer'}`);
    const isPage = /<!doctype html>/i.test(heard);
    if (status === 200 && !isPage) findings.push(`${path}: 200 and no page of the app`);
  }
  return {
    attack: 'Paths out of the web’s folder',
    tried: `${tries.length} addresses with dots, slashes, NUL, in several codings`,
    met: '4xx, or the page of the app',
    findings,
  };
}
