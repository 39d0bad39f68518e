import type { Deps } from '../../../kernel/deps.ts';
import { makeLostJobsAgain } from './carry-out.sql.ts';

/** By the minute: a job for each step of the server's that has none. */
export async function sweepSteps({ db, log, pokeOutbox }: Pick<Deps, 'db' | 'log' | 'pokeOutbox'>): Promise<void> {
  const [swept] = await db.query(makeLostJobsAgain, { olderThanSeconds: 60 });
  if (!swept?.made) return;
  log.warn({ made: swept.made }, 'jobs of steps were lost and are made again');
  pokeOutbox();
}
