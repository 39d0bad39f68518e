import type { Readable } from 'node:stream';
import { writeNoteKey } from '@stet/domain/audit';
import { runShortId } from '@stet/presentation/constants';
import type { DateForm } from '@stet/presentation/reader-dates';
import { appendAudit } from './append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import { type Answer, answer } from '../../kernel/answer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { ReaderGone, endWith } from '../../kernel/pdf.ts';
import { writeAuditDocument } from './document/write-audit-document.ts';
import { findAuditRange, findCheckpointUpTo } from './proof.sql.ts';
import { readTrail } from './read-trail.ts';
import { sealOrAlarm } from './seal-trails.job.ts';
import type { Scope, Trail, TrailCheckpoint } from './trail.ts';
import { type ExportVerification, verifyForExport } from './verify-for-export.ts';

type ReadTrail = Awaited<ReturnType<typeof readTrail>>;
type Answered = (given: Answer<Readable>) => void;

/**
 * Streams the audit trail of one run, or of the runs started in a period, as a PDF. If a run is given, the period is
 * ignored. The export is recorded with its number of runs and events before the document is written. The data of the
 * runs comes from one snapshot. The verification and the checkpoint are newer than the snapshot.
 */
export const exportAudit: Handler<'GET /api/audit/export.pdf'> = (deps, { actor, query, disconnection }) => {
  const scope: Scope =
    query.runId === undefined
      ? { kind: 'period', from: query.from ?? null, to: query.to ?? null }
      : { kind: 'run', runId: query.runId };
  const form = { locale: query.locale, timeZone: query.timeZone };
  const disconnected = disconnection();
  return new Promise((answered, failed) => {
    deps.pdfQueue
      .at(actor.orgId, () => exported(deps, actor, scope, { form, answered, disconnected }), disconnected)
      .catch(failed);
  });
};

/** Calls `answered` when the document starts, and resolves when it is complete or its reader has disconnected. */
async function exported(
  deps: Deps,
  actor: OrgActor,
  scope: Scope,
  { form, answered, disconnected }: { form: DateForm; answered: Answered; disconnected: AbortSignal },
): Promise<void> {
  await deps.db.snapshot(actor, async (tx) => {
    const trail = await readTrail(tx, actor, scope);
    await record(deps, actor, trail);
    const verification = await verifiedNow(deps, actor.orgId, scope);
    const checkpoint = await sealedNow(deps, actor.orgId);
    const { bytes, written } = await writeAuditDocument(deps.openPdf, { ...trail, checkpoint, verification }, form);
    endWith(bytes, disconnected);
    answered(answer(bytes, { 'content-disposition': `attachment; filename="${fileNameOf(trail)}"` }));
    await written.catch((error: unknown) => {
      if (!(error instanceof ReaderGone)) deps.log.error({ err: error }, 'could not complete an audit document');
    });
  });
}

function record({ db }: Deps, actor: OrgActor, { scope, head, counts }: ReadTrail): Promise<void> {
  return db.transaction(actor, async (tx) =>
    appendAudit(tx, [
      {
        ...auditActor(actor),
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

/**
 * Verifies the events that the document needs: those of the run, or all since the beginning of the period, because the
 * events of a run follow its start.
 */
async function verifiedNow(deps: Deps, orgId: string, scope: Scope): Promise<ExportVerification> {
  const from = scope.kind === 'period' ? scope.from : null;
  const range = await deps.db.transaction({ orgId, userId: null }, (tx) =>
    tx.maybeOne(findAuditRange, { orgId, from, to: null }),
  );
  const runId = scope.kind === 'run' ? scope.runId : null;
  return verifyForExport(deps, orgId, { first: range?.first ?? 1, last: range?.last ?? 0, runId });
}

/** Seals the trail, including the record of this export. Returns null if the trail is broken. */
async function sealedNow(deps: Deps, orgId: string): Promise<TrailCheckpoint | null> {
  const size = await sealOrAlarm(deps, orgId);
  if (size === null) return null;
  const row = await deps.db.transaction({ orgId, userId: null }, (tx) =>
    tx.maybeOne(findCheckpointUpTo, { orgId, size }),
  );
  return row
    ? { size: row.size, at: row.at.getTime(), note: row.note, key: writeNoteKey(deps.auditSigner.keyOf(orgId)) }
    : null;
}

/** For example `audit-0197a3c1.pdf`, `audit-from-2026-11-01-to-2026-11-30.pdf` or `audit-all.pdf`. */
function fileNameOf({ scope }: Pick<Trail, 'scope'>): string {
  if (scope.kind === 'run') return `audit-${runShortId(scope.runId)}.pdf`;
  const day = (moment: string): string => new Date(moment).toISOString().slice(0, 10);
  const parts = [scope.from && `from-${day(scope.from)}`, scope.to && `to-${day(scope.to)}`].filter((part) => part);
  return `audit-${parts.join('-') || 'all'}.pdf`;
}
