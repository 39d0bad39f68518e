// Kills the server while clients start runs and complete steps, restarts it, and checks that no acknowledged change is
// missing and none was applied twice. Every second kill includes PostgreSQL.
// Usage: tsx bench/crash.ts [--rounds 10] [--clients 8].
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ServerProcess } from './server-process.ts';

const STEPS = ['one', 'two', 'three'];
type Run = { id: string; name: string; history: { stepId: string | null; action: string }[]; status: string };
type Intent = { key: string; name: string; runId: string | null; done: Set<string> };

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '10' }, clients: { type: 'string', default: '8' } },
});
const rounds = Number(values.rounds);
const clients = Number(values.clients);
const dataDir = mkdtempSync(join(tmpdir(), 'stet-crash-'));
const server = new ServerProcess(3900 + (process.pid % 90), dataDir);
let token = '';

/** Returns the response, or null if there is none; the outcome is then unknown. */
async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  key?: string,
): Promise<{ status: number; body: T } | null> {
  try {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as T };
  } catch {
    return null;
  }
}

async function prepare(): Promise<void> {
  const signUp = await call<{ token: string }>('POST', '/api/auth/signup', {
    email: 'crash@example.com',
    name: 'Crash Test',
    password: 'crash-test',
  });
  token = signUp?.body.token ?? '';
  const steps = STEPS.map((id) => ({ id, title: `Step ${id}` }));
  const draft = await call<{ draftId: string }>('POST', '/api/workflows/crash/drafts', {
    metadata: { title: 'Crash' },
    steps,
  });
  const merged = await call('POST', `/api/workflows/crash/drafts/${draft?.body.draftId}/merge`);
  if (merged?.status !== 200) throw new Error(`the workflow could not be prepared: ${JSON.stringify(merged?.body)}`);
}

/**
 * Starts runs and completes their steps until the end. A request without a response is repeated with the same key after
 * the restart.
 */
async function work(intents: Intent[], isOver: () => boolean): Promise<void> {
  let open: Intent | null = null;
  while (!isOver()) {
    open ??= { key: randomUUID(), name: `run ${randomUUID()}`, runId: null, done: new Set() };
    if (!intents.includes(open)) intents.push(open);
    if (open.runId === null) {
      const started = await call<Run>('POST', '/api/runs', { key: 'crash', name: open.name }, `start-${open.key}`);
      if (started?.status === 201) open.runId = started.body.id;
      else await new Promise((resolve) => setTimeout(resolve, 20));
      continue;
    }
    const step = STEPS.find((id) => !open?.done.has(id));
    if (step === undefined) {
      open = null;
      continue;
    }
    const completed = await call<Run>(
      'POST',
      `/api/runs/${open.runId}/complete`,
      { stepId: step, output: { text: 'done' } },
      `${step}-${open.key}`,
    );
    if (completed?.status === 200) open.done.add(step);
    else if (completed && completed.status !== 503)
      throw new Error(`${completed.status}: ${JSON.stringify(completed.body)}`);
    else await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Returns the acknowledged changes that are missing, and changes that were applied twice. */
async function examine(intents: readonly Intent[]): Promise<string[]> {
  const problems: string[] = [];
  const names = new Map<string, number>();
  let cursor: string | null = null;
  do {
    const response: Response = await fetch(
      `${server.url}/api/runs?limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
      {
        headers: { authorization: `Bearer ${token}` },
      },
    );
    for (const { name } of (await response.json()) as Run[]) names.set(name, (names.get(name) ?? 0) + 1);
    cursor = response.headers.get('x-next-cursor');
  } while (cursor);
  for (const [name, count] of names) if (count > 1) problems.push(`${name} was started ${count} times`);
  for (const { runId, name, done } of intents) {
    if (runId === null) continue;
    const run = await call<Run>('GET', `/api/runs/${runId}`);
    if (run?.status !== 200) {
      problems.push(`${name} was acknowledged but is missing`);
      continue;
    }
    for (const step of STEPS) {
      const times = run.body.history.filter((entry) => entry.stepId === step && entry.action === 'completed').length;
      if (times > 1) problems.push(`${name}: ${step} was completed ${times} times`);
      if (times === 0 && done.has(step))
        problems.push(`${name}: the completion of ${step} was acknowledged but is missing`);
    }
    const isDone = STEPS.every((step) =>
      run.body.history.some((entry) => entry.stepId === step && entry.action === 'completed'),
    );
    if (isDone !== (run.body.status === 'completed'))
      problems.push(`${name} is ${run.body.status}, but its history differs`);
  }
  return problems;
}

let failed = 0;
const restarts: number[] = [];
try {
  await server.start();
  await prepare();
  const intents: Intent[] = [];
  for (let round = 1; round <= rounds; round++) {
    let isOver = false;
    const working = Promise.all(Array.from({ length: clients }, () => work(intents, () => isOver)));
    await new Promise((resolve) => setTimeout(resolve, 400 + Math.random() * 800));
    await server.kill({ withDatabase: round % 2 === 0 });
    restarts.push(await server.start());
    // Gives the clients a moment to repeat unanswered requests.
    await new Promise((resolve) => setTimeout(resolve, 400));
    isOver = true;
    await working;
    const problems = await examine(intents);
    if (problems.length > 0) failed += 1;
    for (const problem of problems) console.log(`round ${round}: ${problem}`);
  }
  const answered = intents.reduce((sum, { runId, done }) => sum + (runId === null ? 0 : 1) + done.size, 0);
  if (answered < rounds * clients) throw new Error(`only ${answered} changes were answered, too few for a result`);
  const slowest = Math.max(...restarts);
  console.log(
    `${rounds} kills, ${clients} clients, ${answered} answered changes, slowest restart ${Math.round(slowest)} ms`,
  );
} finally {
  const code = await server.stop();
  if (code !== 0) failed += 1;
  rmSync(dataDir, { recursive: true, force: true });
}
console.log(`${rounds - Math.min(failed, rounds)} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
