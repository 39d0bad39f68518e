import { runShortId } from '@stet/presentation/constants';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type BundleLine,
  type TreeRange,
  BUNDLE_VERSION,
  appendLeaf,
  signatureStart,
  emptyRange,
  endText,
  signNote,
  treeOf,
  writeBundleLine,
  writeNoteKey,
} from '@stet/domain/audit';
import { appendAudit } from './append-audit.ts';
import type { Tx } from '../../kernel/database.ts';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { Refused } from '../../kernel/refused.ts';
import {
  findAuditHead,
  findAuditRange,
  findCheckpointFrom,
  findCheckpointSignedBy,
  findCheckpointUpTo,
  findRunName,
  listCheckpointsAfter,
  listEventHashes,
  listStoredEvents,
  measureRunEvents,
} from './proof.sql.ts';
import { sealOrAlarm } from './seal-trails.job.ts';
import { peaksOf } from './seal-trail.ts';
import { storedEvent } from './stored-event.ts';
import { type ExportVerification, verifyForExport } from './verify-for-export.ts';

const CHUNK = 500;

/** Runs queries for one organization, each in a separate transaction or all in one snapshot. */
type Read = <T>(work: (tx: Pick<Tx, 'many' | 'maybeOne'>) => Promise<T>) => Promise<T>;

/**
 * The range to export: the numbers of its first and last event, and the size of the checkpoint that covers it (`last`
 * if there is none).
 */
type Taken = { orgId: string; runId: string | null; first: number; last: number; sealed: number };

/**
 * Streams the audit trail, or the events of a period or run, as lines that `stet audit verify` checks without this
 * server. First the export is recorded, and then all events are sealed. A full export therefore contains its own record
 * and, if the trail is intact, a checkpoint over all its events. Refuses with `not_found` if the organization doesn't
 * have the run.
 */
export const exportBundle: Handler<'GET /api/audit/export.ndjson'> = async (deps, { actor, query }) => {
  const { db } = deps;
  const { orgId } = actor;
  const { from = null, to = null, runId = null } = query;
  await db.transaction(actor, async (tx) => {
    const [range, head, run] = await Promise.all([
      tx.maybeOne(findAuditRange, { orgId, from, to }),
      tx.maybeOne(findAuditHead, { orgId }),
      runId === null ? undefined : tx.maybeOne(findRunName, { orgId, runId }),
    ]);
    if (runId !== null && !run) throw new Refused({ code: 'not_found', what: 'run' });
    if (!range || !head) throw new Refused({ code: 'not_found', what: 'organization' });
    const events =
      runId === null
        ? Math.max(0, range.last - range.first + 1)
        : ((await tx.maybeOne(measureRunEvents, { orgId, runId, from: range.first, to: range.last }))?.events ?? 0);
    const data = { format: 'ndjson', from, to, events, headSeq: head.seq, headHash: head.hash.toString('hex') };
    appendAudit(tx, [
      {
        ...auditActor(actor),
        action: 'audit.exported',
        subject: { type: 'audit', id: orgId },
        ...(runId !== null && { runId }),
        data,
      },
    ]);
  });
  const contained = await db.transaction({ orgId, userId: null }, (tx) =>
    tx.maybeOne(findAuditRange, { orgId, from, to }),
  );
  const range = { first: contained?.first ?? 1, last: contained?.last ?? 0, runId };
  const verification = await verifyForExport(deps, orgId, range);
  await sealOrAlarm(deps, orgId);
  const read: Read = (work) => db.transaction({ orgId, userId: null }, work);
  const { taken, header } = await scopeOf(read, deps, { orgId, from, to, runId, verification });
  const lines = linesOf(
    read,
    taken,
    { ...header, exportedBy: { id: actor.userId, name: actor.name, email: actor.email } },
    deps,
  );
  return answer(Readable.from(lines), {
    'content-disposition': `attachment; filename="${fileNameOf({ from, to, runId })}"`,
  });
};

type Header = Extract<BundleLine, { type: 'header' }>;

/**
 * Returns the whole trail of an organization in the same format, and its checkpoints separately, as of a snapshot. The
 * export must be recorded, and the trail verified and sealed, before the snapshot begins.
 */
export async function wholeTrail(
  tx: Pick<Tx, 'many' | 'maybeOne'>,
  deps: Pick<Deps, 'auditSigner' | 'auditMac'>,
  {
    orgId,
    exportedBy,
    verification,
  }: { orgId: string; exportedBy: Header['exportedBy']; verification: ExportVerification },
): Promise<{ events: number; lines: AsyncGenerator<Buffer>; checkpoints: AsyncGenerator<string[]> }> {
  const read: Read = (work) => work(tx);
  const scope = { orgId, from: null, to: null, runId: null, verification };
  const { taken, header } = await scopeOf(read, deps, scope);
  return {
    events: header.events,
    lines: linesOf(read, taken, { ...header, exportedBy }, deps),
    checkpoints: checkpointsOf(read, taken, deps),
  };
}

/** Returns the range of events to export and the bundle's header, read in one transaction so that they match. */
async function scopeOf(
  read: Read,
  { auditSigner, auditMac }: Pick<Deps, 'auditSigner' | 'auditMac'>,
  {
    orgId,
    from,
    to,
    runId,
    verification,
  }: {
    orgId: string;
    from: string | null;
    to: string | null;
    runId: string | null;
    verification: ExportVerification;
  },
): Promise<{ taken: Taken; header: Omit<Header, 'exportedBy'> }> {
  return read(async (tx) => {
    const [range, head] = await Promise.all([
      tx.maybeOne(findAuditRange, { orgId, from, to }),
      tx.maybeOne(findAuditHead, { orgId }),
    ]);
    if (!range || !head) throw new Error(`organization ${orgId} has no trail`);
    const ofRun =
      runId === null ? null : await tx.maybeOne(measureRunEvents, { orgId, runId, from: range.first, to: range.last });
    const last = ofRun ? (ofRun.last ?? range.first - 1) : range.last;
    const first = ofRun ? (ofRun.first ?? range.first) : range.first;
    // Readers know only the current key. If this server can't seal the trail, for example because it is broken, its key
    // may have signed none of these checkpoints. Then the export contains the next one under an earlier key.
    const size = Math.max(1, last);
    const signature = signatureStart(auditSigner.keyOf(orgId));
    const seal =
      (await tx.maybeOne(findCheckpointSignedBy, { orgId, size, signature })) ??
      (await tx.maybeOne(findCheckpointFrom, { orgId, size }));
    const isWhole = to === null && runId === null;
    // An export without an upper bound contains all sealed events, including those that were appended in the meantime.
    const end = isWhole && seal ? seal.size : last;
    const events = ofRun ? ofRun.events : Math.max(0, end - first + 1);
    const sealed = Math.max(seal?.size ?? 0, end);
    const taken = { orgId, runId, first, last: end, sealed };
    const header: Omit<Header, 'exportedBy'> = {
      type: 'header',
      version: BUNDLE_VERSION,
      org: { id: orgId, name: head.org_name },
      range: { from, to, runId },
      exportedAt: head.now.toISOString(),
      events,
      last: sealed,
      verified: verification.verified,
      finding: verification.finding,
      withoutMac: Math.min(auditMac.checkOf(orgId).none, sealed),
      key: writeNoteKey(auditSigner.keyOf(orgId)),
    };
    return { taken, header };
  });
}

/** The lines of a bundle in chunks. They are read only as fast as the client receives them. */
async function* linesOf(
  read: Read,
  taken: Taken,
  header: Header,
  deps: Pick<Deps, 'auditSigner'>,
): AsyncGenerator<Buffer> {
  const { orgId } = taken;
  const { auditSigner } = deps;
  const digest = createHash('sha256');
  let count = 0;
  const piece = (lines: readonly BundleLine[]): Buffer => {
    const bytes = Buffer.from(lines.map((line) => `${writeBundleLine(line)}\n`).join(''));
    digest.update(bytes);
    count += lines.length;
    return bytes;
  };
  yield piece([header]);
  for await (const lines of eventsOf(read, taken)) yield piece(lines);
  for await (const notes of checkpointsOf(read, taken, deps))
    yield piece(notes.map((note) => ({ type: 'checkpoint', note })));
  const text = endText({ orgId, lines: count, digest: digest.copy().digest() });
  yield piece([{ type: 'end', note: signNote(text, auditSigner.keyOf(orgId), auditSigner.sign) }]);
}

/**
 * The checkpoints of the exported events that the current key signed, smallest first, in chunks: readers of an export
 * know only this key. The one that covers all of them is always included, and for a run only this one.
 */
async function* checkpointsOf(
  read: Read,
  { orgId, runId, first, sealed }: Taken,
  { auditSigner }: Pick<Deps, 'auditSigner'>,
): AsyncGenerator<string[]> {
  const signature = signatureStart(auditSigner.keyOf(orgId));
  for (let after = (runId === null ? first : sealed) - 1; ;) {
    const page = await read((tx) =>
      tx.many(listCheckpointsAfter, { orgId, after, to: sealed, signature, limit: CHUNK }),
    );
    const last = page.at(-1);
    if (!last) return;
    yield page.map(({ note }) => note);
    after = last.size;
  }
}

/** The lines for all events up to the sealed size. Events that aren't exported are represented by skipped spans. */
async function* eventsOf(read: Read, { orgId, runId, first, last, sealed }: Taken): AsyncGenerator<BundleLine[]> {
  const skippedOf = ({ from, to, nodes }: TreeRange): BundleLine[] =>
    to > from ? [{ type: 'skipped', from: from + 1, to, nodes }] : [];
  let span = await spanBefore(read, orgId, Math.min(first, sealed + 1));
  for (let from = first; from <= last; from += CHUNK) {
    const to = Math.min(from + CHUNK - 1, last);
    const [events, hashes] = await read((tx) =>
      Promise.all([
        tx.many(listStoredEvents, { orgId, from, to, runId }),
        runId === null ? [] : tx.many(listEventHashes, { orgId, from, to }),
      ]),
    );
    const lines: BundleLine[] = [];
    if (runId === null) {
      lines.push(...skippedOf(span));
      for (const row of events) lines.push({ type: 'event', event: storedEvent(orgId, row) });
      span = emptyRange(to);
    } else {
      const ofRun = new Map(events.map((row) => [row.seq, row]));
      for (const { seq, hash } of hashes) {
        const row = ofRun.get(seq);
        if (!row) {
          span = appendLeaf(span, hash);
          continue;
        }
        lines.push(...skippedOf(span), { type: 'event', event: storedEvent(orgId, row) });
        span = emptyRange(seq);
      }
    }
    yield lines;
  }
  span = await grownTo(read, orgId, span, sealed);
  yield skippedOf(span);
}

/** The span of all events before event `first`. Starts from the last checkpoint, so that few hashes have to be read. */
async function spanBefore(read: Read, orgId: string, first: number): Promise<TreeRange> {
  const row = await read((tx) => tx.maybeOne(findCheckpointUpTo, { orgId, size: first - 1 }));
  return grownTo(read, orgId, row ? treeOf(row.size, peaksOf(row)) : emptyRange(), first - 1);
}

async function grownTo(read: Read, orgId: string, span: TreeRange, end: number): Promise<TreeRange> {
  let grown = span;
  while (grown.to < end) {
    const to = Math.min(grown.to + CHUNK * 10, end);
    const rows = await read((tx) => tx.many(listEventHashes, { orgId, from: grown.to + 1, to }));
    for (const { hash } of rows) grown = appendLeaf(grown, hash);
    // Events are missing from the database. The existing ones are exported, and the verifier reports the gap.
    if (grown.to < to) return grown;
  }
  return grown;
}

/** For example `audit-0197a3c1.ndjson`, `audit-from-2026-11-01-to-2026-11-30.ndjson` or `audit-all.ndjson`. */
function fileNameOf({ from, to, runId }: { from: string | null; to: string | null; runId: string | null }): string {
  if (runId !== null) return `audit-${runShortId(runId)}.ndjson`;
  const day = (moment: string): string => new Date(moment).toISOString().slice(0, 10);
  const parts = [from && `from-${day(from)}`, to && `to-${day(to)}`].filter((part) => part);
  return `audit-${parts.join('-') || 'all'}.ndjson`;
}
