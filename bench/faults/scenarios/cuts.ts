import { setTimeout as sleep } from 'node:timers/promises';
import { cuttingProxyTo } from '../cutting-proxy.ts';
import { underLoad } from '../load.ts';
import { type Scenario, answersInWords, servedAgain } from '../rig.ts';
import { NO_EXTERNAL } from './kills.ts';

const ROUNDS = 5;
/** The share of commits whose connection is cut, including commits of read-only transactions. */
const CUT_SHARE = 0.06;
export const connectionsCut: Scenario = {
  name: 'connections-cut',
  title: 'Connections to PostgreSQL are cut: all of them together at random times, and single ones at COMMIT',
  run: async (rig) => {
    const { external } = rig;
    if (!external) return NO_EXTERNAL;
    const proxy = await cuttingProxyTo(external.port);
    rig.onClose(proxy.close);
    const database = await rig.database(external);
    const server = await rig.server({ DATABASE_URL: external.url(database, proxy.port) });
    await server.start();
    const moments: number[] = [];
    let first = 0;
    const { cut } = proxy;
    const loaded = await underLoad(rig.loadAt(server), async (ledger) => {
      first = performance.now();
      for (let n = 0; n < ROUNDS; n += 1) {
        const from = performance.now();
        proxy.cutCommits(CUT_SHARE);
        await ledger.awaitMore(80);
        await sleep(1000 + Math.random() * 500);
        proxy.cutCommits(0);
        proxy.cutAll();
        moments.push(performance.now());
        ledger.recordFault(from);
        await ledger.awaitMore(10);
      }
    });
    const { ledger, problems } = loaded;
    if (cut.before + cut.within + cut.after < 10) problems.push('too few commits were cut for a result');
    return {
      ...loaded,
      times: moments.length + cut.before + cut.within + cut.after,
      servedAgainMs: servedAgain(ledger, moments),
      meanwhile: `${cut.before} cut before COMMIT, ${cut.within} during and ${cut.after} after it; ${answersInWords(ledger, first, Infinity)}`,
    };
  },
};
