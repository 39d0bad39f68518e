import type { Deps } from '../../kernel/deps.ts';
import { sweepIdempotencyKeys, sweepRateLimits, sweepResets, sweepSessions } from './accounts.sql.ts';

/** Deletes expired data: old sessions, reset links, call counts and stored responses. */
export async function sweepAccounts({ db }: Pick<Deps, 'db'>): Promise<void> {
  await db.query(sweepSessions, {});
  await db.query(sweepResets, {});
  await db.query(sweepRateLimits, {});
  await db.query(sweepIdempotencyKeys, {});
}
