import type { Outcome } from './outcome.ts';
import { sendRaw, statusesIn } from './raw-http.ts';

/** Sends headers and URLs that are longer than any browser's. */
export async function headers(port: number): Promise<Outcome> {
  const findings: string[] = [];
  const floods = [
    Array.from({ length: 5000 }, (_, n) => `x-${n}: 1\r\n`).join(''),
    `x-large: ${'x'.repeat(2 ** 20)}\r\n`,
    `cookie: ${'a=b; '.repeat(20_000)}\r\n`,
    `authorization: Bearer ${'a'.repeat(60_000)}\r\n`,
    `x: ${'\t'.repeat(30_000)}\r\n`,
  ];
  for (const flood of floods) {
    const received = await sendRaw(port, `GET /api/workflows HTTP/1.1\r\nhost: x\r\n${flood}\r\n`);
    const [status = 0] = statusesIn(received);
    if (status < 400 || status >= 500) findings.push(`a flood of headers: ${status || 'no response'}`);
  }
  const long = statusesIn(await sendRaw(port, `GET /${'a'.repeat(200_000)} HTTP/1.1\r\nhost: x\r\n\r\n`));
  if (!(long[0] && long[0] >= 400 && long[0] < 500)) findings.push(`an address of 200 kB: ${long[0] ?? 'no response'}`);
  return {
    attack: 'Header floods',
    tried: `${floods.length} requests with 5 000 header fields, headers of up to 1 MiB, or a URL of 200 kB`,
    result: 'refused before they are read completely',
    findings,
  };
}

/** Sends requests whose end a proxy in front of the server might interpret differently. */
export async function smuggled(port: number): Promise<Outcome> {
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
    'an invalid chunk size': `transfer-encoding: chunked\r\n\r\n-1\r\n${inner}`,
    'a chunk extension over lines': `transfer-encoding: chunked\r\n\r\n1;a\n\r\nx\r\n${chunk}${inner}`,
    'lines that end with only LF': `content-length: 0\n\n${inner}`,
    'NUL in a field': `x: a\u0000b\r\n\r\n${inner}`,
  };
  for (const [name, rest] of Object.entries(tries)) {
    const received = await sendRaw(port, `POST /api/auth/logout HTTP/1.1\r\nhost: x\r\n${rest}`, 3000);
    const statuses = statusesIn(received);
    if (statuses.includes(200)) findings.push(`${name}: the hidden request was answered`);
    if (statuses[0] !== 400) findings.push(`${name}: ${statuses.join(', ') || 'no response'}`);
  }
  return {
    attack: 'Request smuggling',
    tried: `${Object.keys(tries).length} requests with an ambiguous end`,
    result: '400, connection closed, no hidden request processed',
    findings,
  };
}

/** Requests URLs that would lead out of the web app's directory. */
export async function paths(port: number): Promise<Outcome> {
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
    const received = await sendRaw(port, `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    const [status = 0] = statusesIn(received);
    if (/root:.*:0:0|"workspaces"|PATH=|startServer|\[core\]|^[0-9a-f]{40,64}\s*$/m.test(received))
      findings.push(`${path} returns a file`);
    if (status === 0 || status >= 500) findings.push(`${path}: ${status || 'no response'}`);
    const isPage = /<!doctype html>/i.test(received);
    if (status === 200 && !isPage) findings.push(`${path}: 200 without a page of the app`);
  }
  return {
    attack: 'Path traversal out of the web folder',
    tried: `${tries.length} URLs with dots, slashes and NUL in several encodings`,
    result: '4xx, or the app’s page',
    findings,
  };
}
