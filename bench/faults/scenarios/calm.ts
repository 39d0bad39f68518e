import { cuttingProxyTo } from '../cutting-proxy.ts';
import { underLoad } from '../load.ts';
import { type Scenario, answersInWords } from '../rig.ts';

const CHANGES = 150;

/** The control of the planted faults: work without any harm, through all that stands between where harm is done. */
export const calm: Scenario = {
  name: 'calm',
  title: 'nothing',
  run: async (rig) => {
    const { external } = rig;
    const proxy = external && (await cuttingProxyTo(external.port));
    if (proxy) rig.onClose(proxy.close);
    const database = external && { DATABASE_URL: external.url(await rig.database(external), proxy?.port) };
    const server = await rig.server(database ?? {});
    await server.start();
    const first = performance.now();
    const loaded = await underLoad(await rig.loadAt(server), (ledger) => ledger.more(CHANGES));
    return { ...loaded, times: 0, servedAgainMs: [], meanwhile: answersInWords(loaded.ledger, first, Infinity) };
  },
};
