import { z } from 'zod';
import type { Deps } from '../../kernel/deps.ts';
import { newId } from '../../kernel/ids.ts';
import { findUnsealedOrganizations } from './proof.sql.ts';
import { BrokenTrail, type SealDeps, sealTrail } from './seal-trail.ts';
import { keepBrokenTrail } from './verification.sql.ts';

const payloadOf = z.object({ orgId: z.uuid() });

/** By the minute: a checkpoint for each organization that has events without one. One that is broken doesn't stop the others. */
export async function sealTrails(deps: SealDeps & Pick<Deps, 'log'>): Promise<void> {
  for (const { org_id } of await deps.db.query(findUnsealedOrganizations, {})) await sealOrSay(deps, org_id);
}

/** After a thousand events of one organization. */
export async function sealOne(deps: SealDeps & Pick<Deps, 'log'>, payload: unknown): Promise<void> {
  await sealOrSay(deps, payloadOf.parse(payload).orgId);
}

/** Seals a trail; where it is broken the log and the screen say so. Answers the size that is sealed, or null. */
export async function sealOrSay(deps: SealDeps & Pick<Deps, 'log'>, orgId: string): Promise<number | null> {
  try {
    return await sealTrail(deps, orgId);
  } catch (error) {
    if (!(error instanceof BrokenTrail)) throw error;
    const { firstBadSeq, problem } = error;
    deps.log.error({ orgId, firstBadSeq, problem }, 'the audit trail is broken; it is not sealed');
    await deps.db.transaction({ orgId, userId: null }, async (tx) =>
      tx.write(keepBrokenTrail, { orgId, id: newId(), firstBadSeq, problem }),
    );
    return null;
  }
}
