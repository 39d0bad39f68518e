import { chainProblem, erasedBy, payloadProblem, type ChainProblem } from './event-problems.ts';
import type { AuditEvent } from './events.ts';
import { GENESIS } from './hash.ts';

/** The last event before those that are verified, for a part of the trail; absent: the trail begins here. */
type ChainStart = { seq: number; hash: Uint8Array; at: bigint };

/** `head` is the hash of the last event, or the start's where there are none. */
type ChainVerdict =
  | { ok: true; head: Uint8Array; count: number }
  | { ok: false; firstBadSeq: number; problem: ChainProblem };

/**
 * Verifies the events of one organization in the order of their numbers; reads each once, so they may come from a stream.
 * Any edit, removal, insertion or exchange is found, but for two things that only a signed checkpoint can show: events
 * missing at the end, and a trail written anew from some event to its end. A part of the trail has to reach as far as the
 * record of each erasure in it.
 */
export function verifyChain(events: Iterable<AuditEvent>, start?: ChainStart): ChainVerdict {
  let last: ChainStart = start ?? { seq: 0, hash: GENESIS, at: -(2n ** 63n) };
  let orgId: string | null = null;
  let count = 0;
  const erased = new Set<number>();

  for (const event of events) {
    orgId ??= event.orgId;
    const problem = chainProblem(event, last, orgId) ?? payloadProblem(event);
    // A gap is reported under the number that is missing.
    if (problem !== null) return { ok: false, firstBadSeq: problem === 'gap' ? last.seq + 1 : event.seq, problem };
    if (event.payload === null) erased.add(event.seq);
    else for (const seq of erasedBy(event)) erased.delete(seq);
    last = event;
    count += 1;
  }
  for (const firstBadSeq of erased) return { ok: false, firstBadSeq, problem: 'erased' };
  return { ok: true, head: last.hash, count };
}
