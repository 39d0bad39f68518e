import type { TestServer } from '../../apps/server/src/testing/server.ts';
import { attackTrail } from '../../apps/server/src/testing/trail-attacks.ts';
import type { Outcome } from './outcome.ts';

const ATTEMPTS = 1000;

/** Changes stored data with SQL as a superuser, without the server's files, and verifies the whole trail each time. */
export async function attackTrails(server: TestServer, seed: number): Promise<Outcome[]> {
  const tried = await attackTrail(server, { seed, attempts: ATTEMPTS });
  const missed = tried.filter(({ found }) => found === null);
  const kinds = new Set(tried.map(({ name }) => name)).size;
  return [
    {
      attack: 'Rewriting history with SQL as a superuser, without the server’s files',
      tried: `${tried.length} attempts of ${kinds} kinds on events, contents, reviews, the live version, members, policies and runs, seed ${seed}`,
      result: `${tried.length - missed.length} of ${tried.length} detected by the verification of the whole trail`,
      findings: missed.map(
        ({ name }, n) => `attempt to ${name} was not detected (${n + 1} of ${missed.length}, seed ${seed})`,
      ),
    },
  ];
}
