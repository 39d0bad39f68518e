import { MINUTE_MS } from '@stet/domain/sla';
import type pg from 'pg';
import type { Letter, Mailer } from '../kernel/mail.ts';
import { sealTrails } from '../modules/audit/seal-trails.job.ts';
import { watchClocks } from '../modules/runs/watch-clocks.ts';
import type { Server } from '../server.ts';
import type { Call } from './api.ts';
import type { MovedClock } from './moved-clock.ts';

/** A server without jobs whose clock is moved. `owner` is a connection as the owner of its database. */
export type Stage = { server: Server; clock: MovedClock; owner: pg.Client };

/** A person who calls the server. `call` signs in if there is no session. */
export type Person = { call: Call; hasSession: () => boolean; signIn: () => Promise<void> };

/** An event at a time, in epoch milliseconds. Before the event, `by` signs in if necessary. */
export type Moment = { at: number; by?: Person; play: () => Promise<unknown> };

/** The time after an SLA crossing at which the periodic check finds it. */
const CHECK_MS = 2000;
/** The time after an act at which the trail is sealed. */
const SEAL_MS = 800;
/** The time before an act at which its person signs in. */
const SIGN_IN_MS = 3 * MINUTE_MS;

/**
 * Plays moments in the order of their times, each at its time. In the meantime, does the work of an ordinary server's
 * periodic jobs: records SLA crossings, and seals the audit trails.
 */
export async function playAll(stage: Stage, moments: readonly Moment[], until: number): Promise<void> {
  for (const { at, by, play } of moments.toSorted((one, other) => one.at - other.at)) {
    if (by?.hasSession() === false) {
      await watchUntil(stage, at - SIGN_IN_MS);
      await stage.clock.moveTo(at - SIGN_IN_MS);
      await by.signIn();
      await seal(stage);
    }
    await watchUntil(stage, at);
    await stage.clock.moveTo(at);
    await play();
    await seal(stage);
  }
  await watchUntil(stage, until);
  await stage.clock.moveTo(until);
  await seal(stage);
}

async function watchUntil(stage: Stage, until: number): Promise<void> {
  const { server, clock, owner } = stage;
  for (;;) {
    const { rows } = await owner.query<{ next: Date | null }>('select min(next_crossing_at) as next from runs');
    const next = rows[0]?.next;
    if (!next || next.getTime() + CHECK_MS > until) return;
    await clock.moveTo(next.getTime() + CHECK_MS);
    if ((await watchClocks(server.deps)) === 0) throw new Error('a crossing was not recorded');
    await seal(stage);
  }
}

async function seal({ server, clock }: Stage): Promise<void> {
  await clock.moveTo(clock.now() + SEAL_MS);
  await sealTrails(server.deps);
}

type SendingJob = (deps: Server['deps'], mailer: Mailer, payload: unknown) => Promise<void>;

/** Executes the waiting jobs of a task that sends an email. Returns the letters instead of sending them. */
export async function lettersOf({ server, owner }: Stage, task: string, execute: SendingJob): Promise<Letter[]> {
  const { rows } = await owner.query<{ payload: unknown }>('delete from outbox where task = $1 returning payload', [
    task,
  ]);
  const letters: Letter[] = [];
  for (const { payload } of rows)
    await execute(
      server.deps,
      mailerTo((letter) => letters.push(letter)),
      payload,
    );
  return letters;
}

export const mailerTo = (receive: (letter: Letter) => void): Mailer => ({
  send: async (letter) => receive(letter),
  rehearse: async () => {},
  close: () => {},
});
