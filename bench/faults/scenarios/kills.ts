import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '../ledger.ts';
import { underLoad } from '../load.ts';
import { familyOf, signalAll } from '../../processes.ts';
import { type NotProven, type Outcome, type Rig, type Scenario, answersInWords, servedAgain } from '../rig.ts';

/** Waits for a partly random time between two faults, so that each fault hits a different part of the work. */
async function betweenFaults(ledger: Ledger): Promise<void> {
  await ledger.awaitMore(40);
  await sleep(500 + Math.random() * 1000);
}
export const NO_EXTERNAL: NotProven = {
  notProven: 'no PostgreSQL programs on this machine; set POSTGRES_BIN to their folder',
};

const postmasterOf = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);

/**
 * The outcome of faults. The time to recover is counted from `moments`: when a fault happened, or when its cause was
 * removed. Responses are counted from `first`, a time before the first fault.
 */
const outcomeOf = (
  loaded: Awaited<ReturnType<typeof underLoad>>,
  moments: readonly number[],
  first: number,
): Outcome => ({
  ...loaded,
  times: moments.length,
  servedAgainMs: servedAgain(loaded.ledger, moments),
  meanwhile: answersInWords(loaded.ledger, first, Infinity),
});

export const serverKilled: Scenario = {
  name: 'server-killed',
  title: 'SIGKILL of the server, twice together with its embedded PostgreSQL',
  run: async (rig): Promise<Outcome> => {
    const server = await rig.server();
    await server.start();
    const moments: number[] = [];
    const [first, times] = [performance.now(), 4];
    const loaded = await underLoad(rig.loadAt(server), async (ledger) => {
      for (let n = 0; n < times; n += 1) {
        await betweenFaults(ledger);
        const from = performance.now();
        await server.kill({ withDatabase: n % 2 === 1 });
        moments.push(performance.now());
        await server.start();
        ledger.recordFault(from);
      }
    });
    const { ledger } = loaded;
    return {
      ...loaded,
      times,
      servedAgainMs: servedAgain(ledger, moments),
      meanwhile: answersInWords(ledger, first, Infinity),
    };
  },
};

export const embeddedPostgresKilled: Scenario = {
  name: 'embedded-postgres-killed',
  title:
    'SIGKILL of all processes of the embedded PostgreSQL, which the server restarts, or of one, from which PostgreSQL recovers',
  run: async (rig): Promise<Outcome> => {
    const server = await rig.server();
    await server.start();
    const moments: number[] = [];
    const first = performance.now();
    const loaded = await underLoad(rig.loadAt(server), async (ledger) => {
      for (let n = 0; n < 4; n += 1) {
        await betweenFaults(ledger);
        const postmaster = postmasterOf(server.dataDir);
        const [, ...children] = familyOf(postmaster);
        // If a backend process dies, PostgreSQL stops all of them and recovers by itself.
        signalAll(n % 2 === 0 ? [postmaster, ...children] : children.slice(-1), 'SIGKILL');
        const killed = performance.now();
        moments.push(killed);
        await ledger.awaitMore(1);
        ledger.recordFault(killed);
      }
    });
    return outcomeOf(loaded, moments, first);
  },
};

const DOWN_MS = 1500;

export const externalPostgresKilled: Scenario = {
  name: 'external-postgres-killed',
  title: `SIGKILL of an external PostgreSQL, which restarts after ${DOWN_MS / 1000} s`,
  run: async (rig: Rig): Promise<Outcome | NotProven> => {
    const { external } = rig;
    if (!external) return NO_EXTERNAL;
    const server = await rig.server({ DATABASE_URL: external.url(await rig.database(external)) });
    await server.start();
    const moments: number[] = [];
    const first = performance.now();
    const loaded = await underLoad(rig.loadAt(server), async (ledger) => {
      for (let n = 0; n < 3; n += 1) {
        await betweenFaults(ledger);
        const from = performance.now();
        await external.kill();
        await sleep(DOWN_MS);
        await external.start();
        moments.push(performance.now());
        ledger.recordFault(from);
      }
    });
    return outcomeOf(loaded, moments, first);
  },
};
