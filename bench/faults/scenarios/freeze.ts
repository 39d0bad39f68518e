import { setTimeout as sleep } from 'node:timers/promises';
import { underLoad } from '../load.ts';
import { signalAll } from '../../processes.ts';
import { type Scenario, answersInWords, servedAgain } from '../rig.ts';
import { NO_EXTERNAL } from './kills.ts';

const FROZEN_MS = 10_000;
/** While the database hangs, every request must be answered within this time. */
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
    const loaded = await underLoad(rig.loadAt(server), async (ledger) => {
      const family = external.family();
      froze = performance.now();
      signalAll(family, 'SIGSTOP');
      await sleep(FROZEN_MS);
      thawed = performance.now();
      signalAll(family, 'SIGCONT');
      ledger.recordFault(froze);
    });
    const { ledger, problems } = loaded;
    const { slowestMs, unanswered } = ledger.underWay({ from: froze, to: thawed });
    const refused = ledger.statuses(froze, thawed)['503'] ?? 0;
    if (refused === 0) problems.push('no response reported that the database is not responding');
    if (slowestMs > ANSWERED_WITHIN_MS) problems.push(`a request waited ${Math.round(slowestMs)} ms for its response`);
    if (unanswered > 0) problems.push(`${unanswered} requests from that time were never answered`);
    return {
      ...loaded,
      times: 1,
      servedAgainMs: servedAgain(ledger, [thawed]),
      meanwhile: `${answersInWords(ledger, froze, thawed)}; slowest response ${(slowestMs / 1000).toFixed(1)} s`,
    };
  },
};
