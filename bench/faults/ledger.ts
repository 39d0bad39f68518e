import { setTimeout as sleep } from 'node:timers/promises';
import type { Span } from './effects.ts';
import type { Asked, Kind } from './verdict.ts';

/** One change that a client requested, and when it was acknowledged. Times are on the clock of `performance.now()`. */
export type Entry = Asked & { acknowledgedAt: number | null; sentAt: number };

/** `status` is null if there was no response. */
type Answered = { sentAt: number; at: number; status: number | null };

const WAIT_MS = 50;
const MAX_WAITS = 600;

/** The requests and answers of all clients of one load, in order. */
export class Ledger {
  readonly entries: Entry[] = [];
  readonly answers: Answered[] = [];
  /** Responses that no fault explains. */
  readonly strange: string[] = [];
  /** The times of the faults. */
  readonly faults: Span[] = [];

  #acknowledged = 0;

  wants(kind: Kind, id: string): Entry {
    const entry: Entry = { kind, id, acknowledged: false, unanswered: 0, acknowledgedAt: null, sentAt: 0 };
    this.entries.push(entry);
    return entry;
  }

  received(status: number | null, sentAt: number): void {
    const at = performance.now();
    this.answers.push({ sentAt, at, status });
  }

  acknowledge(entry: Entry): void {
    this.#acknowledged += 1;
    entry.acknowledged = true;
    entry.acknowledgedAt = performance.now();
  }

  /**
   * Waits until `count` more changes have been acknowledged, because a fault shows nothing if no work is under way.
   * Gives up after 30 s.
   */
  async awaitMore(count: number): Promise<void> {
    const before = this.#acknowledged;
    for (let n = 0; n < MAX_WAITS && this.#acknowledged < before + count; n += 1) await sleep(WAIT_MS);
  }

  /** Records a fault that has just ended. */
  recordFault(from: number, to = performance.now()): void {
    this.faults.push({ from, to });
  }

  /**
   * Returns the time from a fault to the first acknowledged change that was requested after the first refusal. Without
   * a refusal, the change must be requested after the fault. Null if there was no such change. Work that the server
   * does before it notices the fault doesn't count. `until` is the time of the next fault.
   */
  servedAgain(moment: number, until = Infinity): number | null {
    const refusals = this.answers.flatMap(({ at, status }) =>
      at >= moment && at < until && (status === null || status >= 500) ? [at] : [],
    );
    const detectedAt = refusals.length === 0 ? moment : Math.min(...refusals);
    const later = this.entries.flatMap(({ acknowledgedAt, sentAt }) =>
      acknowledgedAt !== null && sentAt >= detectedAt ? [acknowledgedAt - moment] : [],
    );
    return later.length === 0 ? null : Math.min(...later);
  }

  /** Returns the number of responses within a time span, by status. `none` counts requests without a response. */
  statuses(from: number, to = Infinity): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { at, status } of this.answers)
      if (at >= from && at <= to) counts[status ?? 'none'] = (counts[status ?? 'none'] ?? 0) + 1;
    return counts;
  }

  /**
   * Returns the slowest of the requests that were open during a time span, and how many of these requests got no
   * response.
   */
  underWay({ from, to }: Span): { slowestMs: number; unanswered: number } {
    const requests = this.answers.filter(({ sentAt, at }) => sentAt <= to && at >= from);
    return {
      slowestMs: Math.max(0, ...requests.map(({ sentAt, at }) => at - sentAt)),
      unanswered: requests.filter(({ status }) => status === null).length,
    };
  }
}
