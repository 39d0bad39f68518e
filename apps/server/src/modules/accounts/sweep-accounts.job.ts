import type { Deps } from '../../kernel/deps.ts';
import { sweepIdempotencyKeys, sweepPersonKeys, sweepRateLimits, sweepResets, sweepSessions } from './accounts.sql.ts';

/** Removes what nobody can use any more: old sessions, reset links, counts of calls and kept answers. */
export async function sweepAccounts({ db }: Pick<Deps, 'db'>): Promise<void> {
  await db.query(sweepSessions, {});
  await db.query(sweepResets, {});
  await db.query(sweepRateLimits, {});
  await db.query(sweepIdempotencyKeys, {});
  await db.query(sweepPersonKeys, {});
}
