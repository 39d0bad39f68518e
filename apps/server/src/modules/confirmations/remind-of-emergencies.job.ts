import { DAY_MS } from '@stet/domain/sla';
import type { Deps } from '../../kernel/deps.ts';
import { listOrganizationsWithEmergencies, listWaitingEmergencies } from './confirmations.sql.ts';

/**
 * Reminds the other owners and admins once a day of each emergency that is neither ratified nor refused. Each person
 * gets one reminder per full day, regardless of when and on how many nodes the job runs.
 */
export async function remindOfEmergencies({
  db,
  log,
  pokeOutbox,
}: Pick<Deps, 'db' | 'log' | 'pokeOutbox'>): Promise<void> {
  for (const { org_id: orgId } of await db.query(listOrganizationsWithEmergencies, {})) {
    try {
      await remind(db, orgId);
    } catch (error) {
      // A failure in one organization doesn't affect the others.
      log.error({ err: error, orgId }, "could not send reminders about an organization's emergencies");
    }
  }
  pokeOutbox();
}

const remind = (db: Deps['db'], orgId: string): Promise<void> =>
  db.transaction({ orgId, userId: null }, async (tx) => {
    const waiting = await tx.many(listWaitingEmergencies, { orgId });
    tx.follow(
      waiting.flatMap(({ id, sentence, payload, proposer, proposed_at, now }) => {
        const days = Math.floor((now.getTime() - proposed_at.getTime()) / DAY_MS);
        if (days < 1) return [];
        const reason = typeof payload['reason'] === 'string' ? payload['reason'] : '';
        const context = { id, days, sentence, reason, proposerId: proposer.id };
        return [{ action: 'emergency.still_waiting' as const, context }];
      }),
    );
  });
