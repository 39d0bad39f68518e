import { writeNoteKey } from '@stet/domain/audit';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { writeAuditDocument } from './document/write-audit-document.ts';
import { inTurn } from './in-turn.ts';
import { findCheckpointUpTo } from './proof.sql.ts';
import { readTrail } from './read-trail.ts';
import { sealOrSay } from './seal-trails.job.ts';
import { type Scope, type Trail, type TrailCheckpoint, eventCount } from './trail.ts';
import { runShortId } from '@stet/domain/defaults';

const inTurnOfTwo = inTurn(2);

/**
 * Hands out the audit trail of one run, or of the runs that were started in a period, as a PDF (rulings, section 8).
 * Where a run is named, the period doesn't count. That it was taken is recorded with what was read, before it is written.
 */
export const exportAudit: Handler<'GET /api/audit/export.pdf'> = (deps, request) =>
  inTurnOfTwo(() => exported(deps, request));

const exported: Handler<'GET /api/audit/export.pdf'> = async (deps, { actor, query }) => {
  const scope: Scope =
    query.runId === undefined
      ? { kind: 'period', from: query.from ?? null, to: query.to ?? null }
      : { kind: 'run', runId: query.runId };
  const trail = await deps.db.transaction(actor, async (tx) => {
    const read = await readTrail(tx, actor, scope);
    const { head, runs, runsLeftOut } = read;
    appendAudit(tx, [
      {
        ...by(actor),
        action: 'audit.exported',
        subject: { type: 'audit', id: actor.orgId },
        ...(scope.kind === 'run' && { runId: scope.runId }),
        data: {
          format: 'pdf',
          ...(scope.kind === 'period' && { from: scope.from, to: scope.to }),
          runs: runs.length,
          runsLeftOut,
          events: eventCount(read),
          headSeq: head.seq,
          headHash: head.hash,
        },
      },
    ]);
    return read;
  });
  const checkpoint = await sealedNow(deps, actor.orgId);
  return answer(await writeAuditDocument(deps.openPdf, { ...trail, checkpoint }), {
    'content-disposition': `attachment; filename="${fileNameOf(trail)}"`,
  });
};

/** Seals the trail as it is, the record of this export included; null where it is broken. */
async function sealedNow(deps: Deps, orgId: string): Promise<TrailCheckpoint | null> {
  const size = await sealOrSay(deps, orgId);
  if (size === null) return null;
  const row = await deps.db.transaction({ orgId, userId: null }, (tx) =>
    tx.maybeOne(findCheckpointUpTo, { orgId, size }),
  );
  return row
    ? { size: row.size, at: row.at.getTime(), note: row.note, key: writeNoteKey(deps.auditSigner.keyOf(orgId)) }
    : null;
}

/** `audit-0197a3c1.pdf`, `audit-2026-11-01-to-2026-11-30.pdf`. */
function fileNameOf({ scope }: Pick<Trail, 'scope'>): string {
  if (scope.kind === 'run') return `audit-${runShortId(scope.runId)}.pdf`;
  const day = (moment: string): string => new Date(moment).toISOString().slice(0, 10);
  const parts = [scope.from && `from-${day(scope.from)}`, scope.to && `to-${day(scope.to)}`].filter((part) => part);
  return `audit-${parts.join('-') || 'all'}.pdf`;
}
