// Measures the list of workflows in an organization with thousands of them: pages, searches, filters and counts over
// HTTP. Usage: tsx bench/workflow-list.ts [--workflows 5000] [--rounds 200]. Needs a build (npm run build).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { quantile } from './figures.ts';
import { ServerProcess } from './server-process.ts';

const { values } = parseArgs({
  options: { workflows: { type: 'string', default: '5000' }, rounds: { type: 'string', default: '200' } },
});
const count = Number(values.workflows);
const rounds = Number(values.rounds);
const AT_ONCE = 16;
const dataDir = mkdtempSync(join(tmpdir(), 'stet-list-'));
const server = new ServerProcess(3700 + (process.pid % 90), dataDir);

async function call<T>(
  method: string,
  path: string,
  token: string,
  body?: unknown,
): Promise<{ body: T; headers: Headers }> {
  const answer = await fetch(server.url + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return { body: (await answer.json()) as T, headers: answer.headers };
}

/** Creates a workflow. Every third one is submitted. Of those, every tenth stays in review, and the others go live. */
async function make(token: string, n: number): Promise<void> {
  const path = `/api/workflows/procedure-${n}/drafts`;
  const { body } = await call<{ draftId: string }>('POST', path, token, {
    metadata: { title: `Procedure ${n} of department ${n % 40}`, description: `What department ${n % 40} does.` },
    steps: Array.from({ length: 8 }, (_, at) => ({ id: `s${at}`, title: `Step ${at}`, sla: '4h' })),
  });
  if (n % 3 === 0) await call('POST', `${path}/${body.draftId}/submit`, token);
  if (n % 3 === 0 && n % 10 !== 0) await call('POST', `${path}/${body.draftId}/merge`, token);
}

async function measure(what: string, ask: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    await ask();
    times.push(performance.now() - began);
  }
  const show = (q: number): string => quantile(times, q).toFixed(1).padStart(6);
  console.log(`${what.padEnd(52)} p50 ${show(0.5)}  p95 ${show(0.95)}  p99 ${show(0.99)} ms`);
}

try {
  await server.start();
  const { token } = (
    await call<{ token: string }>('POST', '/api/auth/signup', '', {
      email: 'bench@example.com',
      name: 'Bench',
      password: 'bench-list',
    })
  ).body;
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let n = next++; n < count; n = next++) await make(token, n);
    }),
  );
  console.log(`${count} workflows`, (await call('GET', '/api/workflow-counts', token)).body);
  const get = (path: string) => () => call('GET', path, token);
  let cursor = '';
  for (let page = 0; page < 20; page++) {
    const { headers } = await call('GET', `/api/workflows?limit=48${cursor && `&cursor=${cursor}`}`, token);
    cursor = encodeURIComponent(headers.get('x-next-cursor') ?? '');
  }
  await measure('first page of 48', get('/api/workflows?limit=48'));
  await measure('twenty-first page of 48', get(`/api/workflows?limit=48&cursor=${cursor}`));
  await measure('filter: in review', get('/api/workflows?limit=48&status=in_review'));
  await measure('filter: archived, without results', get('/api/workflows?limit=48&status=archived'));
  await measure('search that finds 48', get('/api/workflows?limit=48&q=department+7'));
  await measure('search that finds nothing', get('/api/workflows?limit=48&q=nothing+of+it&in=text'));
  await measure('without a limit: 200', get('/api/workflows'));
  await measure('counts', get('/api/workflow-counts'));
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
