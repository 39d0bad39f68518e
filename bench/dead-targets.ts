/**
 * Measures people's requests while Slack, the mail server and a webhook's target work, while all three accept calls but
 * never respond, and while all three refuse calls. Then it checks that everything arrives once they work again: for
 * each open step one email and one Slack message, and for each run at least one webhook call.
 *
 * Needs a build: node scripts/build.mjs && npx tsx bench/dead-targets.ts [--seconds 15] [--clients 4]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startSmtpServer } from '../apps/server/src/testing/mailbox.ts';
import { startFakeSlack } from '../apps/server/src/testing/slack.ts';
import { startListener } from '../apps/server/src/testing/webhook-listener.ts';
import { type Call, callerOf } from './caller.ts';
import { quantile } from './figures.ts';
import { type Gate, gateTo } from './gate.ts';
import { ServerProcess } from './server-process.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '15' }, clients: { type: 'string', default: '4' } },
});
const seconds = Number(values.seconds);
const clients = Number(values.clients);
const MATE = 'mate@example.com';
/** How long delayed messages may take to arrive. */
const RETURN_MS = 15 * 60_000;

const dataDir = mkdtempSync(join(tmpdir(), 'stet-dead-'));
const [slack, smtp, hook] = await Promise.all([startFakeSlack(), startSmtpServer(), startListener()]);
const portOf = (url: string): number => Number(new URL(url).port);
const gates: Gate[] = await Promise.all(
  [slack.environment['SLACK_API_URL'] ?? '', smtp.url, hook.url].map((url) => gateTo(portOf(url))),
);
const [slackGate, smtpGate, hookGate] = gates;
if (!slackGate || !smtpGate || !hookGate) throw new Error('three gates were requested');
const server = new ServerProcess(3500 + (process.pid % 90), dataDir, {
  ...slack.environment,
  SLACK_API_URL: `http://127.0.0.1:${slackGate.port}/api/`,
  SMTP_URL: `smtp://127.0.0.1:${smtpGate.port}`,
  WEBHOOK_ALLOW: '127.0.0.1',
});

async function until<T>(found: () => T | undefined, ms: number): Promise<T | undefined> {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(100)) {
    const result = found();
    if (result !== undefined) return result;
  }
  return found();
}

/**
 * Creates a team of two that is connected to Slack and has a webhook. The only step of its workflow is assigned to the
 * second person.
 */
async function prepare(): Promise<{ owner: Call; mate: Call }> {
  const signedUp = await callerOf(server.url)<{ token: string }>('POST', '/api/auth/signup', {
    email: 'owner@example.com',
    name: 'Olive Owner',
    password: 'dead-targets',
  });
  const owner = callerOf(server.url, signedUp.token);
  const { currentOrgId } = await owner<{ currentOrgId: string }>('POST', '/api/organizations', {
    name: 'A team',
    slug: 'a-team',
  });
  await owner('POST', `/api/organizations/${currentOrgId}/invitations`, { email: MATE, role: 'admin' });
  const mail = await until(() => smtp.received.find(({ to }) => to.includes(MATE)), 30_000);
  const token = /\/invite\/([^\s?]+)/.exec(mail?.text ?? '')?.[1];
  if (token === undefined) throw new Error('no invitation arrived');
  await callerOf(server.url)('POST', `/api/invitations/${token}/accept`, {
    name: 'Mia Mate',
    password: 'dead-targets',
  });
  const joined = await callerOf(server.url)<{ token: string }>('POST', '/api/auth/login', {
    email: MATE,
    password: 'dead-targets',
  });
  const mate = callerOf(server.url, joined.token);

  slack.addMember(MATE);
  const ticket = await fetch(new URL('/api/integrations/slack/tickets', server.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${signedUp.token}`, 'stet-organization': currentOrgId },
  });
  const { url } = (await ticket.json()) as { url: string };
  const cookie = ticket.headers.get('set-cookie')?.split(';')[0] ?? '';
  const visit = async (address: string): Promise<string> => {
    const response = await fetch(new URL(address, server.url), { redirect: 'manual', headers: { cookie } });
    return response.headers.get('location') ?? '';
  };
  // Visits Slack, our callback, and the integrations screen.
  await visit(await visit(await visit(url)));
  await owner('POST', '/api/webhooks', { name: 'Hook', url: `http://127.0.0.1:${hookGate?.port}/hook`, actions: [] });

  const { draftId } = await owner<{ draftId: string }>('POST', '/api/workflows/work/drafts', {
    metadata: { title: 'Work' },
    steps: [{ id: 'one', title: 'One', assignee: MATE }],
  });
  const draft = `/api/workflows/work/drafts/${draftId}`;
  await owner('POST', `${draft}/submit`);
  await mate('POST', `${draft}/approve`);
  await mate('POST', `${draft}/merge`);
  return { owner, mate };
}

/** The started runs, by name. If the step is completed, no email or Slack message is needed. */
const started = new Map<string, { id: string; isOpen: boolean }>();

/**
 * One person starts runs and reads them and the list. The other one reads notifications and completes every second run.
 * Returns the duration of each request in milliseconds.
 */
async function measure({ owner, mate }: { owner: Call; mate: Call }): Promise<number[]> {
  const took: number[] = [];
  const end = performance.now() + seconds * 1000;
  const timed = async <T>(call: Call, method: string, path: string, body?: unknown): Promise<T> => {
    const began = performance.now();
    const answer = await call<T>(method, path, body);
    took.push(performance.now() - began);
    return answer;
  };
  const work = async (): Promise<void> => {
    while (performance.now() < end) {
      const name = `Run ${started.size}`;
      const run = { id: '', isOpen: started.size % 2 === 0 };
      started.set(name, run);
      const { id } = await timed<{ id: string }>(owner, 'POST', '/api/runs', { key: 'work', name });
      run.id = id;
      await timed(owner, 'GET', `/api/runs/${id}`);
      await timed(owner, 'GET', '/api/runs?limit=50');
      await timed(mate, 'GET', '/api/notifications');
      if (!run.isOpen)
        await timed(mate, 'POST', `/api/runs/${id}/complete`, { stepId: 'one', output: { text: 'done' } });
      await sleep(250);
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  return took;
}

let failed = false;
const must = (holds: boolean, what: string): void => {
  if (holds) return;
  failed = true;
  console.log(`✗ ${what}`);
};

try {
  await server.start();
  const people = await prepare();
  await measure(people);
  const alive = await measure(people);
  const show = (what: string, took: readonly number[]): void =>
    console.log(
      `${what.padEnd(26)} ${took.length} requests, p50 ${quantile(took, 0.5).toFixed(1)} ms, p99 ${quantile(took, 0.99).toFixed(1)} ms`,
    );
  show('targets answer', alive);
  for (const how of ['silent', 'refusing'] as const) {
    for (const gate of gates) gate.be(how);
    const took = await measure(people);
    show(how === 'silent' ? 'targets never answer' : 'targets refuse', took);
    must(quantile(took, 0.99) <= 2 * quantile(alive, 0.99), `the p99 is at most twice that of targets that answer`);
  }
  for (const gate of gates) gate.be('open');
  const back = Date.now();

  /** Returns how many texts there are about each run. `marks` maps the name or id in a text to the run's name. */
  const received = (texts: readonly string[], marks: ReadonlyMap<string, string>): Map<string, number> => {
    const counts = new Map([...marks.values()].map((name) => [name, 0]));
    for (const text of texts)
      for (const found of new Set(text.match(/Run \d+\b|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g))) {
        const name = marks.get(found);
        if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    return counts;
  };
  const open = new Map([...started].filter(([, { isOpen }]) => isOpen).map(([name]) => [name, name]));
  const byId = new Map([...started].map(([name, { id }]) => [id, name]));
  const reached = () => ({
    mail: received(
      smtp.received.filter(({ to }) => to.includes(MATE)).map(({ text }) => text),
      open,
    ),
    slack: received(
      slack.posted.map((message) => JSON.stringify(message)),
      open,
    ),
    webhook: received(
      hook.received.filter(({ body }) => body.includes('run.started')).map(({ body }) => body),
      byId,
    ),
  });
  const missing = (): number =>
    Object.values(reached()).reduce((sum, counts) => sum + [...counts.values()].filter((n) => n === 0).length, 0);
  let reportedAt = Date.now();
  await until(() => {
    if (Date.now() - reportedAt > 10_000) {
      reportedAt = Date.now();
      const waiting = Object.entries(reached()).map(
        ([kind, counts]) => `${kind} ${[...counts.values()].filter((n) => n === 0).length}`,
      );
      console.log(`  after ${Math.round((reportedAt - back) / 1000)} s still missing: ${waiting.join(', ')}`);
    }
    return missing() === 0 ? true : undefined;
  }, RETURN_MS);
  const seconds = Math.round((Date.now() - back) / 1000);
  console.log(
    `${started.size} runs; ${missing() === 0 ? `all delayed messages arrived ${seconds} s later` : `${missing()} delayed messages are missing after ${seconds} s`}`,
  );
  for (const [kind, counts] of Object.entries(reached())) {
    const lost = [...counts].filter(([, n]) => n === 0).map(([name]) => name);
    const twice = [...counts].filter(([, n]) => n > 1).map(([name]) => name);
    console.log(`${kind.padEnd(26)} ${lost.length} missing, ${twice.length} more than once`);
    must(lost.length === 0, `${kind}: missing ${lost.slice(0, 5).join(', ')}`);
    if (kind !== 'webhook') must(twice.length === 0, `${kind}: ${twice.slice(0, 5).join(', ')} more than once`);
  }
} finally {
  if ((await server.stop()) !== 0) failed = true;
  await Promise.all([...gates.map((gate) => gate.close()), slack.stop(), smtp.stop(), hook.stop()]);
  rmSync(dataDir, { recursive: true, force: true });
}
console.log(failed ? '1 failed' : 'passed');
process.exitCode = failed ? 1 : 0;
