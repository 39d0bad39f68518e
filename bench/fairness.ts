// Measures how much one organization's abandoned PDFs delay another organization's PDF, and how much endless trials
// delay a run with a condition. Exits with 1 if either delay is 2 s or more.
// Usage: tsx bench/fairness.ts [--port 4490] [--steps 1000]
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Call, callerOf } from './caller.ts';
import { busyWords, quantile } from './figures.ts';
import { freePort } from './free-port.ts';
import { ServerProcess } from './server-process.ts';

const { values } = parseArgs({ options: { port: { type: 'string' }, steps: { type: 'string', default: '1000' } } });
const MAX_MS = 2000;
const ROUNDS = 5;
const ABANDONED = 6;
const TRIALS = 16;
const NEW_ACCOUNT_TRIAL_MS = 3000;
const PDF = '/api/workflows/paper/versions/1/document?format=pdf';

type Person = { call: Call; token: string };

const dataDir = mkdtempSync(join(tmpdir(), 'stet-fairness-'));
const port = values.port === undefined ? await freePort() : Number(values.port);
const server = new ServerProcess(port, dataDir, { TRUST_PROXY: '1' });

async function signUp(name: string): Promise<Person> {
  const person = { email: `${name}@example.com`, name, password: 'eleven grey herons' };
  const { token } = await callerOf(server.url)<{ token: string }>('POST', '/api/auth/signup', person);
  return { call: callerOf(server.url, token), token };
}

async function publish({ call }: Person, key: string, steps: object[]): Promise<void> {
  const draft = { metadata: { title: key }, steps };
  const { draftId } = await call<{ draftId: string }>('POST', `/api/workflows/${key}/drafts`, draft);
  await call('POST', `/api/workflows/${key}/drafts/${draftId}/merge`);
}

/** Requests the PDF and disconnects after `afterMs`. */
async function abandonPdf({ token }: Person, afterMs: number): Promise<void> {
  const asked = request(server.url + PDF, { headers: { authorization: `Bearer ${token}` } });
  asked.on('error', () => undefined).end();
  await sleep(afterMs);
  asked.destroy();
}

async function timeOfPdf({ token }: Person): Promise<number> {
  const began = performance.now();
  const response = await fetch(server.url + PDF, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`the PDF was answered with ${response.status}`);
  return performance.now() - began;
}

/** Returns the milliseconds that a run with a condition and a trivial script takes. */
async function timeOfRun({ call }: Person): Promise<number> {
  const began = performance.now();
  const { id } = await call<{ id: string }>('POST', '/api/runs', { key: 'choice', name: 'A choice' });
  for (;;) {
    const { status } = await call<{ status: string }>('GET', `/api/runs/${id}`);
    if (status === 'completed') return performance.now() - began;
    if (status === 'failed') throw new Error('the run failed');
    await sleep(10);
  }
}

async function timesOf(measure: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < ROUNDS; n += 1) times.push(await measure());
  return times;
}

/** Requests an endless trial from one of four addresses, because the queue of trials takes turns by address. */
async function tryEndlessly({ token }: Person, n: number, refused: number[]): Promise<void> {
  const response = await fetch(`${server.url}/api/workflows/script-trial`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-forwarded-for': `203.0.113.${n % 4}`,
    },
    body: JSON.stringify({ script: 'for (;;) {}', timeout: 10 }),
  });
  await response.arrayBuffer();
  if (response.status !== 200) refused.push(response.status);
}

const inMs = (times: readonly number[]): string =>
  `median ${quantile(times, 0.5).toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)} ms`;

let trials: Promise<unknown> = Promise.resolve();
try {
  console.log(busyWords());
  await server.start();
  const [crowd, other] = [await signUp('crowd'), await signUp('other')];
  const paper = Array.from({ length: Number(values.steps) }, (_, n) => ({
    id: `step-${n}`,
    title: `Step ${n}`,
    description: 'Check the figures against the contract, and note what differs. '.repeat(6),
  }));
  await publish(crowd, 'paper', paper);
  await publish(other, 'paper', paper.slice(0, 20));
  await publish(other, 'choice', [
    {
      id: 'choice',
      title: 'Choice',
      type: 'condition',
      config: { condition: '1 < 2', trueNext: 'end' },
      next: ['end'],
    },
    { id: 'end', title: 'End', type: 'automated', config: { script: 'return 1' }, next: [] },
  ]);

  await timeOfPdf(other);
  const alone = await timesOf(() => timeOfPdf(other));
  const crowded = await timesOf(async () => {
    const abandoned = Array.from({ length: ABANDONED }, () => abandonPdf(crowd, 100));
    await sleep(50);
    const ms = await timeOfPdf(other);
    await Promise.all(abandoned);
    return ms;
  });
  const long = await timeOfPdf(crowd);
  console.log(`a PDF of ${paper.length} steps takes ${long.toFixed(0)} ms; another organization's short PDF:`);
  console.log(`  alone: ${inMs(alone)}`);
  console.log(`  alongside ${ABANDONED} abandoned ones: ${inMs(crowded)}`);
  const pdfDelay = Math.max(...crowded) - quantile(alone, 0.5);

  await timeOfRun(other);
  const undisturbed = await timesOf(() => timeOfRun(other));
  const refused: number[] = [];
  trials = Promise.allSettled(Array.from({ length: TRIALS }, (_, n) => tryEndlessly(crowd, n, refused)));
  await sleep(NEW_ACCOUNT_TRIAL_MS / 3);
  const beside = await timesOf(() => timeOfRun(other));
  console.log(`a run with a condition and a trivial script, without and with ${TRIALS} endless trials:`);
  console.log(`  without: ${inMs(undisturbed)}`);
  console.log(`  with: ${inMs(beside)}`);
  const runDelay = Math.max(...beside) - quantile(undisturbed, 0.5);

  console.log(`delay of a PDF ${pdfDelay.toFixed(0)} ms, of a run ${runDelay.toFixed(0)} ms; at most ${MAX_MS}`);
  if (Math.max(pdfDelay, runDelay) >= MAX_MS) process.exitCode = 1;
  if (refused.length > 0) console.log(`trials refused: ${refused.join(', ')}`);
} finally {
  await server.kill({ withDatabase: true });
  await trials;
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
