import { type FindingKind, findingInWords } from '@stet/domain/audit';
import type { Deps } from '../../kernel/deps.ts';
import { newId } from '../../kernel/ids.ts';
import { findAuditHead } from './proof.sql.ts';
import { raiseAlarm } from './raise-alarm.ts';
import type { SealDeps } from './seal-trail.ts';
import type { Found } from './verification.ts';
import { checkpointsFrom, readWhole, verifyEvents, walkTrail } from './verification.ts';
import { findVerification, saveBrokenTrail } from './verification.sql.ts';

/** The verification result that an export contains. */
export type ExportVerification = {
  /** The last verification of the whole trail that found no problem: when it ended (ISO 8601), and its last event. */
  verified: { at: string; size: number } | null;
  /** The stored finding or, if there is none, that of the verification for this export. */
  finding: { seq: number; problem: FindingKind } | null;
  /** The finding as a sentence. */
  sentence: string | null;
};

type Contained = { first: number; last: number; runId: string | null };

/**
 * Verifies everything that was added since the last verification of the whole trail, and the events that an export
 * contains. A finding is stored and raises the alarm. If one is already stored, returns it without verifying anything.
 */
export async function verifyForExport(
  deps: SealDeps & Pick<Deps, 'log'>,
  orgId: string,
  contained: Contained,
): Promise<ExportVerification> {
  const tenant = { orgId, userId: null };
  const [row, head] = await deps.db.transaction(tenant, (tx) =>
    Promise.all([tx.maybeOne(findVerification, { orgId }), tx.maybeOne(findAuditHead, { orgId })]),
  );
  const whole = readWhole(deps, orgId, row?.whole ?? null);
  const verified = whole && { at: whole.endedAt, size: whole.walked.seq };
  // A known problem is reported even while the next verification is running.
  if (row?.is_broken && row.problem)
    return { verified, ...reported({ firstBadSeq: row.first_bad_seq ?? 1, problem: row.problem, detail: row.detail }) };
  const start = whole?.walked ?? null;
  const { checkpoints } = await checkpointsFrom(deps, orgId, start?.seq ?? 0);
  const { found: since } = await walkTrail(deps, orgId, { start, to: head?.seq ?? 0, checkpoints });
  const last = Math.min(contained.last, start?.seq ?? 0);
  const event = since ?? (await verifyEvents(deps, orgId, { ...contained, last }));
  if (!event) return { verified, finding: null, sentence: null };
  const found: Found = { detail: null, ...event };
  await deps.db.transaction(tenant, async (tx) => {
    raiseAlarm(deps, tx, orgId, found, row);
    tx.write(saveBrokenTrail, { orgId, id: newId(), ...found });
  });
  return { verified, ...reported(found) };
}

const reported = ({ firstBadSeq: seq, problem, detail }: Found): Pick<ExportVerification, 'finding' | 'sentence'> => ({
  finding: { seq, problem },
  sentence: detail ?? findingInWords({ kind: problem, seq, line: null }),
});
