import { setTimeout as sleep } from 'node:timers/promises';
import { underLoad } from '../load.ts';
import { signalAll } from '../../processes.ts';
import { type Scenario, answersInWords, servedAgain } from '../rig.ts';
import { NO_EXTERNAL } from './kills.ts';

const FROZEN_MS = 10_000;
/** Whoever asks a server whose database is silent has an answer after this long at most. */
const ANSWERED_WITHIN_MS = 8000;

export const postgresFrozen: Scenario = {
  name: 'postgres-frozen',
  title: `SIGSTOP of PostgreSQL for ${FROZEN_MS / 1000} s, then SIGCONT`,
  run: async (rig) => {
    const { external } = rig;
    if (!external) return NO_EXTERNAL;
    const server = await rig.server({ DATABASE_URL: external.url(await rig.database(external)) });
    await server.start();
    let [froze, thawed] = [0, 0];
    const loaded = await underLoad({ urls: [server.url], readUrl: server.url, dataDir: server.dataDir }, async () => {
      const family = external.family();
      froze = performance.now();
      signalAll(family, 'SIGSTOP');
      await sleep(FROZEN_MS);
      thawed = performance.now();
      signalAll(family, 'SIGCONT');
    });
    const { ledger, problems } = loaded;
    const slowest = ledger.slowest(froze, thawed + FROZEN_MS);
    const refused = ledger.statuses(froze, thawed)['503'] ?? 0;
    if (refused === 0) problems.push('nobody was told that the database does not answer');
    if (slowest > ANSWERED_WITHIN_MS) problems.push(`a request waited ${Math.round(slowest)} ms for its answer`);
    return {
      ...loaded,
      times: 1,
      servedAgainMs: servedAgain(ledger, [thawed]),
      meanwhile: `${answersInWords(ledger, froze, thawed)}; slowest answer ${(slowest / 1000).toFixed(1)} s`,
    };
  },
};
