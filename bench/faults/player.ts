import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Received, call } from './call.ts';
import type { Entry, Ledger } from './ledger.ts';

export const STEPS = ['one', 'two', 'three'];
/** The key of a workflow of manual steps. */
export const WORKFLOW = 'faults';
/** The key of a workflow in which the server executes all steps except the first one. */
export const JOBS_WORKFLOW = 'faults-jobs';
/** The steps of that workflow that the server executes: a script and an email. */
export const SERVER_STEPS = ['work out', 'tell'] as const;

const BETWEEN_TRIES_MS = 50;
/** A client's pause between two changes. Without it, the clients would only measure the machine. */
const THINKING_MS = 8;

export type Player = {
  /** The server for the next request. With several servers, they take turns. */
  url: () => string;
  token: string;
  ledger: Ledger;
  /** True if no new change may be started. */
  isOver: () => boolean;
  /** True if unsuccessful requests should no longer be repeated. */
  isHopeless: () => boolean;
};

/** Works like a person in a browser until the end. A request without a response is repeated with the same key. */
export async function play(player: Player): Promise<void> {
  for (let n = 0; !player.isOver(); n += 1) {
    if (n % 4 === 3) await editAndMerge(player);
    else if (n % 8 === 1) await runThrough(player, JOBS_WORKFLOW, STEPS.slice(0, 1));
    else await runThrough(player, WORKFLOW, STEPS);
  }
}

async function runThrough(player: Player, key: string, steps: readonly string[]): Promise<void> {
  const name = `run ${randomUUID()}`;
  const run = await done<{ id: string }>(player, player.ledger.wants('run', name), {
    method: 'POST',
    path: '/api/runs',
    body: { key, name },
  });
  for (const stepId of steps) {
    if (!run || player.isOver()) return;
    const completed = await done(player, player.ledger.wants('step', `${name}/${stepId}`), {
      method: 'POST',
      path: `/api/runs/${run.id}/complete`,
      body: { stepId, output: { text: 'done' } },
    });
    if (!completed) return;
  }
}

const content = (title: string): object => ({ metadata: { title }, steps: [{ id: 'one', title: 'One' }] });

async function editAndMerge(player: Player): Promise<void> {
  const key = `edit-${randomUUID()}`;
  const draft = await done<{ draftId: string }>(player, player.ledger.wants('draft', key), {
    method: 'POST',
    path: `/api/workflows/${key}/drafts`,
    body: content('Made'),
  });
  if (!draft) return;
  const path = `/api/workflows/${key}/drafts/${draft.draftId}`;
  const saved = await done(player, player.ledger.wants('save', key), {
    method: 'PATCH',
    path,
    body: content(`Saved ${key}`),
    headers: { 'if-match': '"1"' },
    // A save has no idempotency key. If it got no response, the draft itself shows whether it was applied.
    wasDone: async () => {
      const found = await call<{ metadata: { title: string } }>({
        method: 'GET',
        url: player.url() + path,
        token: player.token,
      });
      return found?.status === 200 && found.body.metadata.title === `Saved ${key}`;
    },
  });
  if (!saved) return;
  await done(player, player.ledger.wants('merge', key), { method: 'POST', path: `${path}/merge` });
}

type Change = {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  wasDone?: () => Promise<boolean>;
};

/** Repeats a request until it is acknowledged. Null if it was refused, or should no longer be repeated. */
async function done<T>(player: Player, entry: Entry, { wasDone, path, ...change }: Change): Promise<T | null> {
  const { ledger, token } = player;
  const headers = { ...change.headers, ...(change.method === 'POST' && { 'idempotency-key': randomUUID() }) };
  await sleep(THINKING_MS);
  while (!player.isHopeless()) {
    entry.sentAt = performance.now();
    const received: Received<T> = await call<T>({ ...change, url: player.url() + path, token, headers });
    ledger.received(received?.status ?? null, entry.sentAt);
    if (received && received.status < 300) {
      ledger.acknowledge(entry);
      return received.body;
    }
    if (received?.status === 409 && entry.unanswered > 0 && (await wasDone?.())) {
      ledger.acknowledge(entry);
      return received.body;
    }
    if (received && ![503, 507].includes(received.status)) {
      ledger.strange.push(
        `${change.method} ${path} returned ${received.status}: ${JSON.stringify(received.body).slice(0, 200)}`,
      );
      return null;
    }
    entry.unanswered += 1;
    await sleep(BETWEEN_TRIES_MS);
  }
  return null;
}
