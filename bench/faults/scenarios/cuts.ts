import { setTimeout as sleep } from 'node:timers/promises';
import { cuttingProxyTo } from '../cutting-proxy.ts';
import { underLoad } from '../load.ts';
import { type Scenario, answersInWords, servedAgain } from '../rig.ts';
import { NO_EXTERNAL } from './kills.ts';

const ROUNDS = 5;
/** Of the transactions that change something; some that only read commit, too. */
const SHARE = 0.06;
/**
 * A server that doesn't know a request again shows it only where the request was done and began something: so many are cut,
 * all of them behind their COMMIT.
 */
const PLANTED = { share: 0.25, rounds: 3 };

export const connectionsCut: Scenario = {
  name: 'connections-cut',
  title: 'Connections to PostgreSQL cut: all at once at random moments, and single ones at their COMMIT',
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
    const loaded = await underLoad(await rig.loadAt(server), async (ledger) => {
      first = performance.now();
      for (let n = 0; n < (rig.plant ? PLANTED.rounds : ROUNDS); n += 1) {
        const from = performance.now();
        if (rig.plant) proxy.cutCommits(PLANTED.share, ['behind']);
        else proxy.cutCommits(SHARE);
        await ledger.more(80);
        await sleep(1000 + Math.random() * 500);
        proxy.cutCommits(0);
        proxy.cutAll();
        moments.push(performance.now());
        ledger.struck(from);
        await ledger.more(10);
      }
    });
    const { ledger, problems } = loaded;
    if (cut.before + cut.within + cut.behind < 10) problems.push('hardly a commit was cut off: this proves nothing');
    return {
      ...loaded,
      times: moments.length + cut.before + cut.within + cut.behind,
      servedAgainMs: servedAgain(ledger, moments),
      meanwhile: `${cut.before} cut before COMMIT, ${cut.within} within, ${cut.behind} behind it; ${answersInWords(ledger, first, Infinity)}`,
    };
  },
};
