import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Checkpoint, SYSTEM_ACTOR, openNote, readCheckpoint } from '@stet/domain/audit';
import { appendAudit } from './append-audit.ts';
import { verifyEd25519 } from './audit-signer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { savedCheckpoints, setAsideCheckpoints } from './checkpoint-file.ts';
import { recordRows } from './mac-boundary.ts';
import { listTrailSizes, postponeEnd } from './proof.sql.ts';

/** A file that `stet restore` writes for the next start. It contains the time of the backup. */
const RESTORED = 'restored.txt';
export const restoredFile = (dataDir: string): string => join(dataDir, RESTORED);

/**
 * Runs at startup. Each trail that is older than its checkpoints outside the database gets an event that records this
 * and the last missing checkpoint. After `stet restore`, every trail gets such an event. The checkpoints that the
 * database lacks are set aside, and the trail continues from its current end. A trail with the same length but
 * different contents wasn't restored but changed, and sealing detects that.
 */
export async function noteRestore(deps: Deps): Promise<void> {
  const { db, config, auditSigner, auditMac, log } = deps;
  const file = restoredFile(config.dataDir);
  const backupAt = existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
  for (const { org_id: orgId, size } of await db.query(listTrailSizes, {})) {
    const keys = auditSigner.trustedKeysOf(orgId);
    const checkpointIn = (note: string): Checkpoint | null => {
      const opened = openNote(note, keys, verifyEd25519);
      return opened.ok ? readCheckpoint(opened.text) : null;
    };
    const isNewer = (note: string): boolean => (checkpointIn(note)?.size ?? 0) > size;
    const notes = await savedCheckpoints(config.dataDir, orgId);
    const lacking = notes.filter(isNewer).at(-1);
    const last = lacking === undefined ? null : checkpointIn(lacking);
    if (last === null && backupAt === null) continue;
    const lacks = last && { size: last.size, head: Buffer.from(last.head).toString('hex'), signedAt: last.at };
    await db.transaction({ orgId, userId: null }, async (tx) => {
      // Otherwise nothing could be recorded for an organization that has ended, and it would be deleted again at once.
      tx.write(postponeEnd, { orgId });
      appendAudit(tx, [
        {
          actor: SYSTEM_ACTOR,
          action: 'installation.restored',
          subject: { type: 'organization', id: orgId },
          data: { backupAt, lastEvent: size, lacks },
        },
      ]);
    });
    // The database also lacks the events recorded by the first start with MACs.
    const { none } = auditMac.checkOf(orgId);
    if (size < none && none !== Number.MAX_SAFE_INTEGER) await recordRows(deps, orgId);
    if (last === null) continue;
    log.error(
      { orgId, lastEvent: size, lacks: last.size },
      'the database is older than its checkpoints; recorded this in the trail',
    );
    await setAsideCheckpoints(config.dataDir, orgId, (note) => !isNewer(note));
  }
  rmSync(file, { force: true });
}
