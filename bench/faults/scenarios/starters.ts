import { underLoad } from '../load.ts';
import { type Scenario, servedAgain } from '../rig.ts';
import { NO_EXTERNAL } from './kills.ts';

const ROUNDS = 3;

export const twoStarters: Scenario = {
  name: 'two-starters',
  title: `Two servers that start and migrate at the same moment on an empty database, ${ROUNDS} times`,
  run: async (rig) => {
    const { external } = rig;
    if (!external) return NO_EXTERNAL;
    const problems: string[] = [];
    const readyMs: number[] = [];
    for (let round = 1; ; round += 1) {
      const database = await rig.database(external);
      const environment = { DATABASE_URL: external.url(database) };
      const servers = [await rig.server(environment), await rig.server(environment)];
      const began = performance.now();
      await Promise.all(servers.map((server) => server.start()));
      readyMs.push(performance.now() - began);
      const [applied] = await external.query<{ all: number; different: number }>(
        database,
        'select count(*)::int as all, count(distinct name)::int as different from stet_migrations',
      );
      if (!applied || applied.all === 0 || applied.all !== applied.different)
        problems.push(`round ${round}: migrations are applied as ${JSON.stringify(applied)}`);
      if (round < ROUNDS) {
        for (const server of servers) await server.stop();
        continue;
      }
      const [one, two] = servers;
      if (!one || !two) throw new Error('there are two servers');
      const began2 = performance.now();
      const loaded = await underLoad({ urls: [one.url, two.url], readUrl: one.url, dataDir: one.dataDir }, (ledger) =>
        ledger.more(100),
      );
      loaded.problems.push(...problems);
      const [first] = servedAgain(loaded.ledger, [began2]);
      return {
        ...loaded,
        times: ROUNDS,
        servedAgainMs: readyMs.map((ms, n) => (n === ROUNDS - 1 && first === null ? null : ms)),
        meanwhile: 'both were ready each time; each migration applied once; then both served',
      };
    }
  },
};
