import type { Tx } from '../../kernel/database.ts';
import type { RecordedEvent } from '../../kernel/recorded-event.ts';
import { appendAudit } from './append-audit.ts';

/**
 * Records events in the trails of several organizations, in one transaction without a tenant. Call this last and once,
 * because afterwards the transaction is in the last of these organizations.
 */
export function appendInEach(tx: Tx, events: ReadonlyMap<string, readonly RecordedEvent[]>): void {
  // Two of these transactions lock the trails in the same order, so neither waits for the other.
  for (const [orgId, recorded] of [...events].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    appendAudit(tx.enter(orgId), recorded);
}
