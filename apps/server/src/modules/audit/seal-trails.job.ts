import { z } from 'zod';
import type { Deps } from '../../kernel/deps.ts';
import { newId } from '../../kernel/ids.ts';
import { findUnsealedOrganizations } from './proof.sql.ts';
import { raiseAlarm } from './raise-alarm.ts';
import { BrokenTrail, type SealDeps, sealTrail } from './seal-trail.ts';
import { findVerification, saveBrokenTrail } from './verification.sql.ts';

const payloadOf = z.object({ orgId: z.uuid() });

/**
 * Runs every minute and creates a checkpoint for each organization with unsealed events. If one trail is broken, the
 * others are still sealed.
 */
export async function sealTrails(deps: SealDeps & Pick<Deps, 'log'>): Promise<void> {
  for (const { org_id } of await deps.db.query(findUnsealedOrganizations, {})) await sealOrAlarm(deps, org_id);
}

/** Runs after every thousand events of an organization. */
export async function sealOne(deps: SealDeps & Pick<Deps, 'log'>, payload: unknown): Promise<void> {
  await sealOrAlarm(deps, payloadOf.parse(payload).orgId);
}

/**
 * Seals a trail, or raises the alarm if it is broken. Returns the sealed size, or null if it is broken. A stored
 * finding stays as it is, because one from a verification has more detail. If a verification has found no problem since
 * the stored finding was read, there is no alarm.
 */
export async function sealOrAlarm(deps: SealDeps & Pick<Deps, 'log'>, orgId: string): Promise<number | null> {
  try {
    return await sealTrail(deps, orgId);
  } catch (error) {
    if (!(error instanceof BrokenTrail)) throw error;
    const { firstBadSeq, problem, isStored } = error;
    await deps.db.transaction({ orgId, userId: null }, async (tx) => {
      const row = await tx.maybeOne(findVerification, { orgId });
      if (row?.is_broken && row.problem) {
        const { first_bad_seq, problem: known, detail } = row;
        raiseAlarm(deps, tx, orgId, { firstBadSeq: first_bad_seq ?? 1, problem: known, detail }, row);
      } else if (!isStored) {
        raiseAlarm(deps, tx, orgId, { firstBadSeq, problem, detail: null }, row);
        tx.write(saveBrokenTrail, { orgId, id: newId(), firstBadSeq, problem });
      }
    });
    return null;
  }
}
