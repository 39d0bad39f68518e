import { chainProblem, payloadProblem, type ChainProblem } from './event-problems.ts';
import type { AuditEvent } from './events.ts';
import { GENESIS } from './hash.ts';

/** The last event before a partial verification; if absent, the trail begins here. */
type ChainStart = { seq: number; hash: Uint8Array; at: bigint };

/** `head` is the hash of the last event, or of the start if there are none. */
type ChainVerdict =
  | { ok: true; head: Uint8Array; count: number }
  | { ok: false; firstBadSeq: number; problem: ChainProblem };

/**
 * Verifies the events of one organization in order. It reads each event once, so they may come from a stream. It finds
 * any edit, removal, insertion or swap, with two exceptions: events missing at the end, and a trail rewritten from some
 * event to its end. Signed checkpoints reveal these, and MACs reveal a rewrite.
 */
export function verifyChain(events: Iterable<AuditEvent>, start?: ChainStart): ChainVerdict {
  let last: ChainStart = start ?? { seq: 0, hash: GENESIS, at: -(2n ** 63n) };
  let orgId: string | null = null;
  let count = 0;

  for (const event of events) {
    orgId ??= event.orgId;
    const problem = chainProblem(event, last, orgId) ?? payloadProblem(event);
    // A gap is reported with the missing number.
    if (problem !== null) return { ok: false, firstBadSeq: problem === 'gap' ? last.seq + 1 : event.seq, problem };
    last = event;
    count += 1;
  }
  return { ok: true, head: last.hash, count };
}
