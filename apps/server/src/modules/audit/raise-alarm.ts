import { findingInWords } from '@stet/domain/audit';
import type { Tx } from '../../kernel/database.ts';
import type { Deps } from '../../kernel/deps.ts';
import { digestOf } from '../../kernel/digest.ts';
import { type Found, readWhole } from './verification.ts';
import type { VerificationRow } from './verification.sql.ts';

/** Problems whose event number changes as the trail grows, because they refer to the newest event. */
const AT_THE_END: readonly Found['problem'][] = ['truncation', 'signature', 'row'];

/**
 * Logs that a trail is broken, and notifies the owners and admins of its organization once per finding. They are
 * notified again if the finding recurs after a verification of the whole trail has found no problem. `row` is the
 * trail's last verification.
 */
export function raiseAlarm(
  { log, ...deps }: Pick<Deps, 'log' | 'auditSigner'>,
  tx: Tx,
  orgId: string,
  found: Found,
  row: Pick<VerificationRow, 'whole'> | undefined,
): void {
  log.error({ orgId, ...found }, 'the audit trail is broken; it is not sealed');
  const { firstBadSeq, problem, detail } = found;
  const sentence = detail ?? findingInWords({ kind: problem, seq: firstBadSeq, line: null });
  const wholeAt = readWhole(deps, orgId, row?.whole ?? null)?.endedAt ?? null;
  const key = digestOf([problem, AT_THE_END.includes(problem) ? detail : firstBadSeq, wholeAt]);
  tx.follow([{ action: 'trail.broken', context: { key, sentence } }]);
}
