import type { Tx } from '../../kernel/database.ts';
import type { RecordedEvent } from '../../kernel/recorded-event.ts';
import { appendAudit } from './append-audit.ts';

/**
 * Records events in the trails of several organizations, in one transaction without a tenant. Must be called last and
 * only once, because afterwards the transaction's tenant is one of these organizations. `before` can add writes for an
 * organization, whose events come before these.
 */
export function appendInEach(
  tx: Tx,
  events: ReadonlyMap<string, readonly RecordedEvent[]>,
  before: (inside: Tx, orgId: string) => void = () => {},
): void {
  // Every such transaction locks the trails in the same order, so two of them can't deadlock.
  for (const [orgId, recorded] of [...events].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const inside = tx.enter(orgId);
    before(inside, orgId);
    appendAudit(inside, recorded);
  }
}
