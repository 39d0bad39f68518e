import { setTimeout as sleep } from 'node:timers/promises';
import { type EffectsAfterFaults, effectsAfterFaults } from './effects-after-faults.ts';
import { type Received, call, must } from './call.ts';
import { Ledger } from './ledger.ts';
import { look, readTrail } from './observe.ts';
import { JOBS_WORKFLOW, SERVER_STEPS, STEPS, WORKFLOW, play } from './player.ts';
import { ADDRESSEE, CALLED_FOR, type Sinks } from './sinks.ts';
import { type Verdict, disagreements, judge } from './verdict.ts';

const CLIENTS = 8;
/** How long the clients have at the end to get an acknowledgement for each request. */
const FINISH_WITHIN_MS = 60_000;
/** Number of changes before the faults and after them, because normal operation must be observed too. */
const CALM = 60;
/** Minimum number of emails with which the jobs can be judged. */
const ENOUGH_MAILS = 5;

export type LoadOptions = {
  /** The servers that clients use; each request goes to one of them. */
  urls: readonly string[];
  /** The server that the result is read from. */
  readUrl: string;
  dataDir: string;
  /** The receivers of the emails and webhooks that the servers send. */
  sinks: Sinks;
};

export type Loaded = {
  ledger: Ledger;
  verdict: Verdict;
  jobs: EffectsAfterFaults;
  scripts: number;
  problems: string[];
};

/** Runs clients while `body` injects faults, waits for their responses, and compares those with the final state. */
export async function underLoad(
  { urls, readUrl, dataDir, sinks }: LoadOptions,
  body: (ledger: Ledger) => Promise<void>,
): Promise<Loaded> {
  const ledger = new Ledger();
  sinks.clear();
  const token = await prepare(readUrl, ledger, sinks);
  let isOver = false;
  let isHopeless = false;
  let turn = 0;
  const url = (): string => urls[(turn += 1) % urls.length] ?? readUrl;
  const player = { url, token, ledger, isOver: () => isOver, isHopeless: () => isHopeless };
  const playing = Promise.all(Array.from({ length: CLIENTS }, () => play(player)));
  playing.catch(() => {}); // Prevents an unhandled rejection if one fails before it is awaited.
  try {
    await ledger.awaitMore(CALM);
    await body(ledger);
    await ledger.awaitMore(CALM);
  } finally {
    isOver = true;
    const deadline = setTimeout(() => (isHopeless = true), FINISH_WITHIN_MS);
    await playing;
    clearTimeout(deadline);
  }
  const reader = { url: readUrl, token };
  const jobs = await effectsAfterFaults(reader, sinks, ledger.faults);
  const { seen, byServer, odd } = await look(reader);
  const verdict = judge(ledger.entries, seen);
  await sealed(reader);
  const trail = await readTrail(reader, dataDir);
  const shown = new Map([...seen, ...byServer]);
  const problems = [...new Set(ledger.strange), ...odd, ...jobs.problems, ...disagreements(shown, trail.actions)];
  if (jobs.mails.promised < ENOUGH_MAILS)
    problems.push(`only ${jobs.mails.promised} emails were expected, too few to judge the jobs`);
  if (trail.problem !== null) problems.push(`audit verify: ${trail.problem}`);
  const scripts = [...byServer.keys()].filter((name) => name.endsWith(`/${SERVER_STEPS[0]}`)).length;
  return { ledger, verdict, jobs, scripts, problems };
}

const [WORK_OUT, NOTIFY] = SERVER_STEPS;
const LIVE: Record<string, object[]> = {
  [WORKFLOW]: STEPS.map((id, n) => ({ id, title: `Step ${id}`, sla: '30m', next: STEPS.slice(n + 1, n + 2) })),
  [JOBS_WORKFLOW]: [
    { id: STEPS[0], title: 'Begin', next: [WORK_OUT] },
    {
      id: WORK_OUT,
      title: 'Work out',
      type: 'automated',
      config: { script: 'return { of: run.name };', timeout: 30 },
      next: [NOTIFY],
    },
    {
      id: NOTIFY,
      title: 'Tell',
      type: 'notification',
      config: { recipients: [ADDRESSEE], template: '{{run.name}} is done.', channels: ['email'] },
    },
  ],
};

/** Creates a person with two live workflows and a webhook. The changes that create the workflows are in the ledger. */
async function prepare(url: string, ledger: Ledger, sinks: Sinks): Promise<string> {
  const person = { email: `faults-${Date.now()}@example.com`, name: 'Fault Test', password: 'fault-test' };
  const { token } = await must<{ token: string }>({ method: 'POST', url: `${url}/api/auth/signup`, body: person });
  const hook = { name: 'Faults', url: sinks.webhookUrl, actions: CALLED_FOR };
  await must({ method: 'POST', url: `${url}/api/webhooks`, token, body: hook });
  for (const [key, steps] of Object.entries(LIVE)) {
    const path = `${url}/api/workflows/${key}/drafts`;
    const body = { metadata: { title: 'Faults' }, steps };
    const { draftId } = await must<{ draftId: string }>({ method: 'POST', url: path, token, body });
    ledger.acknowledge(ledger.wants('draft', key));
    await must({ method: 'POST', url: `${path}/${draftId}/merge`, token });
    ledger.acknowledge(ledger.wants('merge', key));
  }
  return token;
}

type Status = { verification: { state: string } | null };

/** Makes the server verify the trail, which seals it up to its end. */
async function sealed({ url, token }: { url: string; token: string }): Promise<void> {
  await must({ method: 'POST', url: `${url}/api/audit/verify`, token });
  for (let n = 0; n < 600; n += 1) {
    const status: Received<Status> = await call<Status>({ method: 'GET', url: `${url}/api/audit/status`, token });
    const state = status?.body.verification?.state;
    if (state === 'ok') return;
    if (state === 'broken') throw new Error('the server reports that its audit trail is broken');
    await sleep(100);
  }
  throw new Error('the server did not verify its audit trail');
}
