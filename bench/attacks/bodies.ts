import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import type { ServerProcess } from '../server-process.ts';
import type { Outcome } from './outcome.ts';
import { sendRaw, statusesIn } from './raw-http.ts';

const MEMORY_MIB = 160;
/** Number of ways to send a body: with its length, in chunks, or only the length without the body. */
const KINDS = 3;
const BOMB_MIB = 64;

const memoryOf = (pid: number | undefined): number | null => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return null;
  }
};

/** Sends bodies that exceed the size limit of their route, with and without a declared length. */
export async function oversized(server: ServerProcess, token: string): Promise<Outcome> {
  const findings: string[] = [];
  const { port } = server;
  const before = memoryOf(server.pid);
  let most = before ?? 0;
  const head = (path: string, more: string): string =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n${more}\r\n\r\n`;
  const text = (mib: number): string => `{"name":"${'x'.repeat(mib * 2 ** 20)}"}`;
  const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  let calls = 0;
  let refused = 0;
  let cut = 0;
  for (let round = 0; round < 6; round += 1) {
    const received = await Promise.all(
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
    calls += received.length;
    for (const [n, each] of received.entries()) {
      // A client that is still sending when the connection closes may not be able to read the response, but a client
      // that sent only a length can.
      if (each === '' && n % KINDS !== KINDS - 1) cut += 1;
      else if (statusesIn(each)[0] === 413) refused += 1;
      else findings.push(`an oversized body: ${each.slice(0, 60) || 'no response'}`);
    }
    most = Math.max(most, memoryOf(server.pid) ?? 0);
  }
  const grown = before === null ? null : Math.round(most - before);
  if (grown !== null && grown > MEMORY_MIB) findings.push(`the server grew by ${grown} MiB`);
  if (refused < calls / 2) findings.push(`only ${refused} of ${calls} were answered with 413`);
  const after = await fetch(`${server.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } });
  if (after.status !== 200) findings.push(`the server responds with ${after.status} afterwards`);
  return {
    attack: 'Oversized bodies',
    tried: `${calls} bodies of 1 to 16 MiB, with a Content-Length, chunked, and with a Content-Length of 93 GiB`,
    result: `413 (${refused}), or disconnected before a response could be read (${cut}); ${grown === null ? 'memory not measured here' : `the server’s memory grew by at most ${Math.max(0, grown)} MiB`}`,
    findings,
  };
}

/** Sends bodies that are small on the wire and large when decompressed. */
export async function compressed({ url }: ServerProcess, token: string): Promise<Outcome> {
  const findings: string[] = [];
  const body = Buffer.from(`{"name":"${'0'.repeat(BOMB_MIB * 2 ** 20)}"}`);
  const bombs = {
    gzip: gzipSync(body),
    deflate: deflateSync(body),
    // The highest compression quality would take a minute.
    br: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
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
      if (answer.status !== 415) findings.push(`${encoding} at ${path}: ${answer.status}`);
    }
  }
  return {
    attack: 'Compressed bodies',
    tried: `${paths.length * Object.keys(bombs).length} bodies of ${BOMB_MIB} MiB, compressed to at most ${Math.ceil(Math.max(...Object.values(bombs).map(({ length }) => length)) / 1024)} kB: gzip, deflate, br, gzip twice`,
    result: '415: nothing is decompressed',
    findings,
  };
}
