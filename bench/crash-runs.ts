// Kills two servers on one PostgreSQL at random times while runs with scripts, conditions and messages advance on both.
// Restarts them and checks every run. A third of the kills hit one server and PostgreSQL, a third only the other
// server, and a third all three. Runs are paused and resumed at random. Each expected email must arrive. Because a
// server can be killed between sending an email and recording it, at most two per kill may arrive again.
// Usage: tsx bench/crash-runs.ts [--rounds 10] [--clients 6] [--patience 60]. `--patience` is how many seconds may pass
// after the last kill without any run being completed. A run that isn't continued, for example because a wake-up was
// lost, exceeds it, but a long queue on a busy machine doesn't.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mailsIn, messagesOf } from './crash-runs-messages.ts';
import { type RunSeen, STEPS, problemsOf } from './crash-runs-verdict.ts';
import { ServerProcess } from './server-process.ts';

type Intent = {
  key: string;
  answer: string;
  runId: string | null;
  asked: boolean;
  ended: boolean;
  isPaused: boolean;
};

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    clients: { type: 'string', default: '6' },
    patience: { type: 'string', default: '60' },
  },
});
/** Longest wait for the next completed run after the last kill. */
const PATIENCE_MS = Number(values.patience) * 1000;
const rounds = Number(values.rounds);
const clients = Number(values.clients);
const dataDir = mkdtempSync(join(tmpdir(), 'stet-crash-runs-'));
const port = 3700 + (process.pid % 90) * 2;
const holder = new ServerProcess(port, dataDir, { SIMULATED_FAILURE_RATE: '0' });
let other: ServerProcess | null = null;
let token = '';
let email = '';

type Answer<T> = { status: number; body: T } | null;

/** Calls one of the two servers. Returns the response, or null if there is none; the outcome is then unknown. */
async function call<T>(method: string, path: string, body?: unknown, key?: string): Promise<Answer<T>> {
  const server = other && Math.random() < 0.5 ? other : holder;
  try {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    return { status: response.status, body: (await response.json()) as T };
  } catch {
    return null;
  }
}

/** True if a server confirmed the change. False if there was no response or a 503. Throws on any other error. */
function isDone(answer: Answer<unknown>): boolean {
  if (!answer || answer.status === 503) return false;
  if (answer.status >= 300) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
  return true;
}

/** Returns the address of the first server's database, so that the second one can use it. */
function databaseUrl(): string {
  const [, , , socketPort, host] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  return `postgres://postgres@${encodeURIComponent(host ?? '')}:${socketPort}/stet`;
}

async function prepare(): Promise<void> {
  email = 'crash@example.com';
  const signUp = await call<{ token: string }>('POST', '/api/auth/signup', {
    email,
    name: 'Crash Test',
    password: 'crash-test',
  });
  token = signUp?.body.token ?? '';
  const draft = await call<{ draftId: string }>('POST', '/api/workflows/crash/drafts', {
    metadata: { title: 'Crash' },
    steps: STEPS.map((step) =>
      step.type === 'notification' ? { ...step, config: { ...step.config, recipients: [email] } } : step,
    ),
  });
  const merged = await call('POST', `/api/workflows/crash/drafts/${draft?.body.draftId}/merge`);
  if (merged?.status !== 200) throw new Error(`the workflow could not be prepared: ${JSON.stringify(merged?.body)}`);
}

/**
 * Starts runs, answers their first step and completes their last one. A request without a response is repeated with the
 * same key.
 */
async function work(intents: Intent[], isOver: () => boolean): Promise<void> {
  const mine: Intent[] = [];
  while (!isOver()) {
    const open = mine.filter(({ ended }) => !ended);
    if (open.length < 8) {
      const intent = {
        key: randomUUID(),
        answer: Math.random() < 0.5 ? 'yes' : 'never',
        runId: null,
        asked: false,
        ended: false,
        isPaused: false,
      };
      mine.push(intent);
      intents.push(intent);
      open.push(intent);
    }
    for (const intent of open) await advance(intent);
    await sleep(20);
  }
}

async function advance(intent: Intent, canPause = true): Promise<void> {
  if (intent.runId === null) {
    const started = await call<{ id: string }>(
      'POST',
      '/api/runs',
      { key: 'crash', name: `run ${intent.key}` },
      `start-${intent.key}`,
    );
    if (isDone(started)) intent.runId = started?.body.id ?? null;
    return;
  }
  if (intent.isPaused) {
    const resumed = await call('POST', `/api/runs/${intent.runId}/resume`);
    // 409 means that the run was never paused or has already been resumed.
    if (resumed && (resumed.status === 200 || resumed.status === 409)) intent.isPaused = false;
    return;
  }
  if (canPause && intent.asked && Math.random() < 0.3) {
    // The run may have been paused even if there was no response.
    intent.isPaused = true;
    await call('POST', `/api/runs/${intent.runId}/pause`);
    return;
  }
  const complete = (stepId: string, text: string): Promise<Answer<unknown>> =>
    call('POST', `/api/runs/${intent.runId}/complete`, { stepId, output: { text } }, `${stepId}-${intent.key}`);
  if (!intent.asked) {
    intent.asked = isDone(await complete('ask', intent.answer));
    return;
  }
  const run = await call<RunSeen>('GET', `/api/runs/${intent.runId}`);
  if (run?.status === 200 && run.body.currentStepIds.includes('last'))
    intent.ended = isDone(await complete('last', 'done'));
}

/** Returns the problems of all runs, after the servers have had time to complete them. */
async function examine(
  intents: readonly Intent[],
): Promise<{ problems: string[]; waitedMs: number; idleMs: number; mails: number; again: number }> {
  const began = performance.now();
  let [left, endedAt, idleMs] = [[...intents], began, 0];
  while (left.length > 0 && performance.now() - endedAt < PATIENCE_MS) {
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (const intent of left.filter((_open, at) => at % clients === client)) await advance(intent, false);
      }),
    );
    const open = left.filter(({ ended }) => !ended);
    idleMs = Math.max(idleMs, performance.now() - endedAt);
    if (open.length < left.length) endedAt = performance.now();
    left = open;
    if (left.length > 0) await sleep(250);
  }
  const waitedMs = performance.now() - began;
  const messages = await messagesOf(holder.url, token);
  const sent = mailsIn(dataDir);
  const problems: string[] = [];
  let again = 0;
  for (const { runId, key, answer } of intents) {
    const mailed = sent.get(key) ?? 0;
    if (answer === 'never' && mailed === 0) problems.push(`run ${key}: no email was sent`);
    if (answer !== 'never' && mailed > 0) problems.push(`run ${key}: ${mailed} emails were sent, none expected`);
    again += Math.max(0, mailed - 1);
    const run = await call<RunSeen>('GET', `/api/runs/${runId}`);
    if (run?.status !== 200) problems.push(`run ${key} was acknowledged but is missing`);
    else
      problems.push(
        ...problemsOf(run.body, answer, messages.get(runId ?? '') ?? 0).map((text) => `run ${key}: ${text}`),
      );
  }
  // Each kill stops one or two servers, and each of them was sending at most one message of this organization.
  if (again > rounds * 2) problems.push(`${again} emails were sent again after ${rounds} kills`);
  return { problems, waitedMs, idleMs, mails: [...sent.values()].reduce((sum, n) => sum + n, 0), again };
}

/** Returns whether the audit trail is intact from its first event to its last. */
async function isTrailIntact(): Promise<boolean> {
  await call('POST', '/api/audit/verify');
  for (let n = 0; n < 200; n++) {
    const status = await call<{ verification: { state: string } | null }>('GET', '/api/audit/status');
    const state = status?.body.verification?.state;
    if (state === 'ok' || state === 'broken') return state === 'ok';
    await sleep(100);
  }
  return false;
}

let failed = false;
try {
  await holder.start();
  await prepare();
  other = new ServerProcess(port + 1, dataDir, { SIMULATED_FAILURE_RATE: '0', DATABASE_URL: databaseUrl() });
  await other.start();
  const intents: Intent[] = [];
  let isOver = false;
  const working = Promise.all(Array.from({ length: clients }, () => work(intents, () => isOver)));
  // Prevents an unhandled rejection if a client fails before it is awaited.
  working.catch(() => {});
  for (let round = 1; round <= rounds; round++) {
    await sleep(500 + Math.random() * 1500);
    const victims = round % 3 === 0 ? [holder, other] : [round % 3 === 1 ? holder : other];
    await Promise.all(victims.map((server) => server.kill({ withDatabase: server === holder })));
    for (const server of victims) await server.start();
  }
  await sleep(500);
  isOver = true;
  await working;
  const { problems, waitedMs, idleMs, mails: mailed, again } = await examine(intents);
  if (!(await isTrailIntact())) problems.push('the audit trail is not intact');
  for (const problem of problems) console.log(problem);
  if (intents.length < clients * 8) throw new Error(`only ${intents.length} runs were started, too few for a result`);
  failed = problems.length > 0;
  console.log(
    `${rounds} kills, ${intents.length} runs on two servers, ${problems.length} problems. The check waited ${Math.round(waitedMs)} ms for the open runs, at most ${Math.round(idleMs)} ms between two completions. ${mailed} emails, ${again} of them sent again after a kill`,
  );
} finally {
  const codes = [await other?.stop(), await holder.stop()];
  if (codes.some((code) => code)) failed = true;
  rmSync(dataDir, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
