import { type CertifiedEvent, certifiedEvent } from '@stet/domain/audit';
import type { Deps } from '../../kernel/deps.ts';
import { openInclusionProofs } from './inclusion-proofs.ts';
import { findAuditHead, findCheckpointUpTo, listVersionEvents } from './proof.sql.ts';
import { sealOrAlarm } from './seal-trails.job.ts';
import type { SealDeps } from './seal-trail.ts';
import { storedEvent } from './stored-event.ts';
import { findVerification } from './verification.sql.ts';

/** The events of a version with their proofs, and the checkpoint that covers them. */
export type CertifiedTrail = {
  organization: { id: string; name: string };
  /** When the events were read, by the database's clock. */
  at: Date;
  events: CertifiedEvent[];
  checkpoint: string;
};

/**
 * Seals the trail and returns, with their inclusion proofs, the events of `listVersionEvents` that `isTaken` accepts.
 * Null if the trail is broken, because then nothing can be proved.
 */
export async function certifyEvents(
  deps: SealDeps & Pick<Deps, 'log'>,
  { orgId, workflowId, versionId }: { orgId: string; workflowId: string; versionId: string },
  isTaken: (event: CertifiedEvent) => boolean,
): Promise<CertifiedTrail | null> {
  const sealed = await sealOrAlarm(deps, orgId);
  if (sealed === null) return null;
  return deps.db.transaction({ orgId, userId: null }, async (tx) => {
    const [verification, head, checkpoint, rows] = await Promise.all([
      tx.maybeOne(findVerification, { orgId }),
      tx.maybeOne(findAuditHead, { orgId }),
      tx.maybeOne(findCheckpointUpTo, { orgId, size: sealed }),
      tx.many(listVersionEvents, { orgId, workflowId, versionId, last: sealed }),
    ]);
    // A known problem remains until a verification finds none, so it also counts while a verification is running.
    if (verification?.is_broken || !head || !checkpoint) return null;
    const prove = openInclusionProofs(tx, orgId, checkpoint.size);
    const events: CertifiedEvent[] = [];
    for (const row of rows) {
      const event = storedEvent(orgId, row);
      const unproved = certifiedEvent(event, []);
      if (!unproved) return null;
      if (!isTaken(unproved)) continue;
      const certified = certifiedEvent(event, await prove(event.seq));
      if (certified) events.push(certified);
    }
    return { organization: { id: orgId, name: head.org_name }, at: head.now, events, checkpoint: checkpoint.note };
  });
}
