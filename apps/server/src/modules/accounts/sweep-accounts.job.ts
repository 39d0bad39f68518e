import type { Deps } from '../../kernel/deps.ts';
import { sweepRateLimits, sweepResets, sweepSessions } from './accounts.sql.ts';

/** Removes what nobody can use any more: old sessions, reset links and counts of calls. */
export async function sweepAccounts({ db }: Pick<Deps, 'db'>): Promise<void> {
  await db.query(sweepSessions, {});
  await db.query(sweepResets, {});
  await db.query(sweepRateLimits, {});
}
