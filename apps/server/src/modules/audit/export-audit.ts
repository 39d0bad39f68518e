import type { Readable } from 'node:stream';
import { writeNoteKey } from '@stet/domain/audit';
import { runShortId } from '@stet/domain/defaults';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { type OrgActor, by } from '../../kernel/actor.ts';
import { type Answer, answer } from '../../kernel/answer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { Untaken } from '../../kernel/pdf.ts';
import { writeAuditDocument } from './document/write-audit-document.ts';
import { inTurn } from './in-turn.ts';
import { findCheckpointUpTo } from './proof.sql.ts';
import { readTrail } from './read-trail.ts';
import { sealOrSay } from './seal-trails.job.ts';
import type { Scope, Trail, TrailCheckpoint } from './trail.ts';

type Answered = (given: Answer<Readable>) => void;

// A document takes a connection and a processor for as long as it is written.
const inTurnOfTwo = inTurn(2);

/**
 * Hands out the audit trail of one run, or of the runs that were started in a period, as a PDF (rulings, section 8). Where a
 * run is named, the period doesn't count. That it is taken is recorded with what there is to read, before it is written; all
 * of it is of one moment, and it is sent as it is written.
 */
export const exportAudit: Handler<'GET /api/audit/export.pdf'> = (deps, { actor, query }) => {
  const scope: Scope =
    query.runId === undefined
      ? { kind: 'period', from: query.from ?? null, to: query.to ?? null }
      : { kind: 'run', runId: query.runId };
  return new Promise((answered, failed) => {
    inTurnOfTwo(() => exported(deps, actor, scope, answered)).catch(failed);
  });
};

/** Answers as soon as the document begins; ends with it. */
async function exported(deps: Deps, actor: OrgActor, scope: Scope, answered: Answered): Promise<void> {
  await deps.db.snapshot(actor, async (tx) => {
    const trail = await readTrail(tx, actor, scope);
    await record(deps, actor, trail);
    const checkpoint = await sealedNow(deps, actor.orgId);
    const { bytes, written } = await writeAuditDocument(deps.openPdf, { ...trail, checkpoint });
    answered(answer(bytes, { 'content-disposition': `attachment; filename="${fileNameOf(trail)}"` }));
    await written.catch((error: unknown) => {
      if (!(error instanceof Untaken)) deps.log.error({ err: error }, 'an audit document broke off');
    });
  });
}

function record({ db }: Deps, actor: OrgActor, { scope, head, counts }: Omit<Trail, 'checkpoint'>): Promise<void> {
  return db.transaction(actor, async (tx) =>
    appendAudit(tx, [
      {
        ...by(actor),
        action: 'audit.exported',
        subject: { type: 'audit', id: actor.orgId },
        ...(scope.kind === 'run' && { runId: scope.runId }),
        data: {
          format: 'pdf',
          ...(scope.kind === 'period' && { from: scope.from, to: scope.to }),
          runs: counts.runs,
          events: counts.events,
          headSeq: head.seq,
          headHash: head.hash,
        },
      },
    ]),
  );
}

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
