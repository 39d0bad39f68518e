import { SYSTEM_ACTOR } from '@stet/domain/audit';
import type { Deps } from '../../kernel/deps.ts';
import { appendAudit } from '../audit/index.ts';
import { countFailedSignIn, listOrganizationsWithFailedSignIns, takeFailedSignIns } from './accounts.sql.ts';

/**
 * Logs a failed sign-in, and counts it if the address has an account. The log line contains the account and a keyed
 * hash of the network. This shows which account is attacked and from how many networks, but reveals no address. The
 * caller doesn't wait for the count, so the response takes equally long for known and unknown accounts.
 */
export function noteFailedSignIn(
  { db, log, derive }: Pick<Deps, 'db' | 'log' | 'derive'>,
  { userId, address }: { userId: string | null; address: string },
): void {
  const network = derive('sign-in', address).toString('base64url', 0, 9);
  log.warn({ event: 'sign_in_failed', userId, network }, 'a sign-in failed');
  db.query(countFailedSignIn, { userId }).catch((error: unknown) =>
    log.error({ err: error }, 'could not count a failed sign-in'),
  );
}

/**
 * Records the failed sign-ins of each account and past hour as one event in the trail of each of its organizations.
 * This is safe on any number of nodes, because the transaction that records a count also deletes it.
 */
export async function recordFailedSignIns({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  for (const { org_id: orgId } of await db.query(listOrganizationsWithFailedSignIns, {})) {
    try {
      await db.transaction({ orgId, userId: null }, async (tx) => {
        const counts = await tx.many(takeFailedSignIns, { orgId });
        if (counts.length === 0) return;
        appendAudit(
          tx,
          counts.map(({ user_id: id, hour, count }) => ({
            actor: SYSTEM_ACTOR,
            action: 'session.sign_in_failed' as const,
            subject: { type: 'user' as const, id },
            data: { count, from: hour.toISOString() },
          })),
        );
      });
    } catch (error) {
      // A failure in one organization doesn't affect the others.
      log.error({ err: error, orgId }, 'could not record failed sign-ins');
    }
  }
}
