import { PERMISSIONS } from '@stet/domain/access';
import { DAY_MS } from '@stet/domain/sla';
import { isolated } from '@stet/domain/workflows';
import { leaveNotices } from '../../db/notices.ts';
import type { Deps } from '../../kernel/deps.ts';
import { listOrganizationsWithEmergencies, listWaitingEmergencies } from './confirmations.sql.ts';

/**
 * Reminds owners and admins once a day of each emergency that nobody has ratified or refused. Any number of nodes may look, at
 * any time: a person is reminded once for each full day that an emergency waits.
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
      // The others are reminded all the same.
      log.error({ err: error, orgId }, 'the emergencies of an organization could not be reminded of');
    }
  }
  pokeOutbox();
}

const remind = (db: Deps['db'], orgId: string): Promise<void> =>
  db.transaction({ orgId, userId: null }, async (tx) => {
    const waiting = await tx.many(listWaitingEmergencies, { orgId });
    leaveNotices(
      tx,
      orgId,
      waiting.flatMap(({ id, sentence, payload, proposer, proposed_at, now }) => {
        const days = Math.floor((now.getTime() - proposed_at.getTime()) / DAY_MS);
        if (days < 1) return [];
        return [
          {
            source: `emergency_reminder:${id}:${days}`,
            kind: 'confirmation_requested' as const,
            title: 'Emergency, not ratified',
            body: `${sentence} ${isolated(typeof payload['reason'] === 'string' ? payload['reason'] : '')}`,
            to: { roles: PERMISSIONS['org.manage'], exceptIds: [proposer.id] },
          },
        ];
      }),
    );
  });
