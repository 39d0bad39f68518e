import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Checkpoint, SYSTEM_ACTOR, openNote, readCheckpoint } from '@stet/domain/audit';
import { appendAudit } from './append-audit.ts';
import { verifyEd25519 } from './audit-signer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { savedCheckpoints, setAsideCheckpoints } from './checkpoint-file.ts';
import { recordRows } from './mac-boundary.ts';
import { listTrailSizes, postponeEnd } from './proof.sql.ts';

/** A file that `stet restore` writes for the next start of the server. It contains the time of the backup. */
const RESTORED = 'restored.txt';
export const restoredFile = (dataDir: string): string => join(dataDir, RESTORED);

/**
 * Runs at startup. If a trail is older than its checkpoints outside the database, appends an event that records this
 * and the last missing checkpoint. After `stet restore`, appends such an event to every trail. The checkpoints whose
 * events are missing are moved to a separate file, and the trail continues from its current end. A trail of the same
 * length with different contents was changed rather than restored, and sealing detects that.
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
      // Without this, nothing could be recorded for an organization that has ended, and the organization would be
      // deleted again immediately.
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
    // If the backup is older than the first start with MACs, the rows that this start recorded are missing too, so
    // they are recorded again.
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
