import type { AuditRecord } from '@stet/domain/audit';
import type { Tx } from '../../kernel/database.ts';
import { readHistory } from './runs.sql.ts';

/**
 * The audit events of a run, oldest first, with only the latest `NOTES_IN_HISTORY` notes; null for an erased event.
 * `now` is the database's time in epoch milliseconds.
 */
export type RunHistory = { now: number; history: readonly (AuditRecord | null)[] };

export async function readHistoryOf(
  tx: Pick<Tx, 'maybeOne'>,
  of: { orgId: string; runId: string },
): Promise<RunHistory> {
  const read = await tx.maybeOne(readHistory, of);
  if (!read) throw new Error('an aggregate always has a row');
  return { now: read.now, history: JSON.parse(read.history) as (AuditRecord | null)[] };
}
