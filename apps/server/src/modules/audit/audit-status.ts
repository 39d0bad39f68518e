import type { AuditStatus } from '@stet/contract';
import { findingInWords, writeNoteKey } from '@stet/domain/audit';
import { z } from 'zod';
import { enqueueJobs } from '../../db/outbox.ts';
import { statement } from '../../db/statement.ts';
import type { Tx } from '../../kernel/database.ts';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import type { AuditSigner } from '../../kernel/deps.ts';
import { newId } from '../../kernel/ids.ts';
import { findAuditRange, findCheckpointUpTo } from './proof.sql.ts';
import { type VerificationRow, beginVerification, findVerification } from './verification.sql.ts';

const findTrailEnds = statement({
  name: 'find_trail_ends',
  params: ['orgId'],
  row: z.object({ seq: z.number(), hash: z.string(), at: z.date(), first_at: z.date().nullable() }),
  text: `select h.seq, encode(h.hash, 'hex') as hash, h.at, e.at as first_at
         from audit_heads h left join audit_events e on e.org_id = h.org_id and e.seq = 1 where h.org_id = $1`,
});

/**
 * Returns the state of the trail: its first and last event, its last checkpoint and last verification, and the number
 * of events in a period.
 */
export const readAuditStatus: Handler<'GET /api/audit/status'> = async ({ db, auditSigner }, { actor, query }) =>
  answer(await db.transaction(actor, (tx) => statusOf(tx, auditSigner, { orgId: actor.orgId, ...query })));

/** Starts a verification of the whole trail unless one is running. `GET /api/audit/status` reports its progress. */
export const verifyAudit: Handler<'POST /api/audit/verify'> = async ({ db, auditSigner, pokeOutbox }, { actor }) => {
  const { orgId } = actor;
  await db.transaction(actor, async (tx) => {
    const begun = await tx.maybeOne(beginVerification, { orgId, id: newId() });
    if (begun) enqueueJobs(tx, [{ task: 'verify_audit', payload: { orgId, verificationId: begun.id } }]);
  });
  pokeOutbox();
  return answer(await db.transaction(actor, (tx) => statusOf(tx, auditSigner, { orgId })));
};

async function statusOf(
  tx: Tx,
  signer: AuditSigner,
  {
    orgId,
    from = null,
    to = null,
  }: { orgId: string; from?: string | null | undefined; to?: string | null | undefined },
): Promise<AuditStatus> {
  const [ends, checkpoint, verification, range] = await Promise.all([
    tx.maybeOne(findTrailEnds, { orgId }),
    tx.maybeOne(findCheckpointUpTo, { orgId, size: null }),
    tx.maybeOne(findVerification, { orgId }),
    tx.maybeOne(findAuditRange, { orgId, from, to }),
  ]);
  return {
    events: ends?.seq ?? 0,
    eventsInRange: range ? Math.max(0, range.last - range.first + 1) : 0,
    firstAt: ends?.first_at?.toISOString() ?? null,
    head: ends && ends.seq > 0 ? { seq: ends.seq, hash: ends.hash, at: ends.at.toISOString() } : null,
    checkpoint: checkpoint ? { size: checkpoint.size, at: checkpoint.at.toISOString(), note: checkpoint.note } : null,
    key: writeNoteKey(signer.keyOf(orgId)),
    verification: verification ? presentVerification(verification) : null,
  };
}

function presentVerification(row: VerificationRow): NonNullable<AuditStatus['verification']> {
  const { state, is_stuck, started_at, updated_at, done, total } = row;
  // While a verification is running, the row still contains the previous finding.
  const { first_bad_seq = null, problem = null, detail = null } = state === 'running' ? {} : row;
  return {
    state: is_stuck ? 'interrupted' : state,
    startedAt: started_at.toISOString(),
    updatedAt: updated_at.toISOString(),
    done,
    total,
    firstBadSeq: first_bad_seq,
    problem,
    sentence: problem === null ? null : (detail ?? findingInWords({ kind: problem, seq: first_bad_seq, line: null })),
  };
}
