import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import helmet from '@fastify/helmet';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { Refused } from '../kernel/refused.ts';
import { serveWeb } from './static.ts';

const root = mkdtempSync(join(tmpdir(), 'stet-static-'));
mkdirSync(join(root, 'assets'));
for (const file of ['index.html', 'assets/app-1a2b.js', 'assets/flow.worker-3c4d.js'])
  writeFileSync(join(root, file), 'x');
afterAll(() => rmSync(root, { recursive: true }));

async function headersOf(path: string) {
  const app = Fastify();
  await app.register(helmet);
  await serveWeb(app, root);
  const { headers } = await app.inject(path);
  await app.close();
  return headers;
}

test('a page has headers that protect a document, and is revalidated each time', async () => {
  for (const path of ['/', '/app/runs']) {
    const headers = await headersOf(path);
    expect(headers['content-security-policy']).toBeDefined();
    expect(headers['x-frame-options']).toBeDefined();
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['cache-control']).toBe('no-cache');
  }
});

test('a script is cached for a year and has only the headers that protect a script', async () => {
  const headers = await headersOf('/assets/app-1a2b.js');
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  expect(headers['referrer-policy']).toBe('no-referrer');
  expect(headers['content-security-policy']).toBeUndefined();
  expect(headers['x-frame-options']).toBeUndefined();
});

test('a worker’s file has a header with its own policy', async () => {
  expect((await headersOf('/assets/flow.worker-3c4d.js'))['content-security-policy']).toBeDefined();
});

test('files of a build that was made while the server runs are served like the others', async () => {
  const app = Fastify();
  await app.register(helmet);
  await serveWeb(app, root);
  app.setErrorHandler((error, _request, reply) => reply.status(error instanceof Refused ? 404 : 500).send(''));
  app.get('/api/known', () => 'from the API');
  writeFileSync(join(root, 'index.html'), 'new page');
  writeFileSync(join(root, 'assets/app-5e6f.js'), 'new script');
  const get = async (url: string) => {
    const { statusCode, body, headers } = await app.inject(url);
    return { status: statusCode, body, cached: headers['cache-control'] };
  };
  expect(await get('/')).toEqual({ status: 200, body: 'new page', cached: 'no-cache' });
  expect(await get('/app/runs?q=x')).toEqual({ status: 200, body: 'new page', cached: 'no-cache' });
  expect(await get('/assets/app-5e6f.js')).toMatchObject({
    status: 200,
    body: 'new script',
    cached: expect.stringContaining('immutable') as string,
  });
  expect((await get('/assets/app-none.js')).status).toBe(404);
  expect((await get('/assets')).status).toBe(404);
  expect((await get('/assets/')).status).toBe(404);
  expect((await get('/%2e%2e/package.json')).body).not.toContain('{');
  expect(await get('/api/known')).toMatchObject({ status: 200, body: 'from the API' });
  expect((await get('/api/none')).status).toBe(404);
  await app.close();
});
