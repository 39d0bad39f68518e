import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Heard, call } from './call.ts';
import type { Entry, Ledger } from './ledger.ts';

export const STEPS = ['one', 'two', 'three'];
/** What runs are started of. */
export const WORKFLOW = 'faults';
/** The same, where the server has to go on by itself behind the first step. */
export const JOBS_WORKFLOW = 'faults-jobs';
/** What the server does in such a run: a script, and a mail. */
export const SERVER_STEPS = ['work out', 'tell'] as const;

const BETWEEN_TRIES_MS = 50;
/** Between two changes of one client: as many clients as there are would otherwise only measure the machine. */
const THINKING_MS = 8;

export type Player = {
  /** Where the next request goes; several servers take turns. */
  url: () => string;
  token: string;
  ledger: Ledger;
  /** Begin nothing more. */
  isOver: () => boolean;
  /** Don't try any longer what didn't succeed. */
  isHopeless: () => boolean;
};

/** Works like a person in a browser until it is over: what gets no answer is asked again with the same key. */
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
    // A save has no key; whether one that got no answer was done, the draft itself tells.
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

/** Asks until it is acknowledged; null where it was refused, or hope is lost. */
async function done<T>(player: Player, entry: Entry, { wasDone, path, ...change }: Change): Promise<T | null> {
  const { ledger, token } = player;
  const headers = { ...change.headers, ...(change.method === 'POST' && { 'idempotency-key': randomUUID() }) };
  await sleep(THINKING_MS);
  while (!player.isHopeless()) {
    entry.sentAt = performance.now();
    const heard: Heard<T> = await call<T>({ ...change, url: player.url() + path, token, headers });
    ledger.heard(heard?.status ?? null, entry.sentAt);
    if (heard && heard.status < 300) {
      ledger.acknowledge(entry);
      return heard.body;
    }
    if (heard?.status === 409 && entry.unanswered > 0 && (await wasDone?.())) {
      ledger.acknowledge(entry);
      return heard.body;
    }
    if (heard && ![503, 507].includes(heard.status)) {
      ledger.strange.push(
        `${change.method} ${path} was answered ${heard.status}: ${JSON.stringify(heard.body).slice(0, 200)}`,
      );
      return null;
    }
    entry.unanswered += 1;
    await sleep(BETWEEN_TRIES_MS);
  }
  return null;
}
