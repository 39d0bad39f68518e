import { setTimeout as sleep } from 'node:timers/promises';
import type { Asked, Kind } from './verdict.ts';

/** One change that a client wants, and what it was told of it. Moments are of `performance.now()`. */
export type Entry = Asked & { acknowledgedAt: number | null; sentAt: number };

type Answered = { at: number; tookMs: number; status: number | null };

const WAIT_MS = 50;
const MOST_WAITS = 600;

/** What the clients of one load asked for and were answered, in the order in which it happened. */
export class Ledger {
  readonly entries: Entry[] = [];
  readonly answers: Answered[] = [];
  /** Answers that no fault explains. */
  readonly strange: string[] = [];

  #acknowledged = 0;

  wants(kind: Kind, id: string): Entry {
    const entry: Entry = { kind, id, acknowledged: false, unanswered: 0, acknowledgedAt: null, sentAt: 0 };
    this.entries.push(entry);
    return entry;
  }

  heard(status: number | null, sentAt: number): void {
    const at = performance.now();
    this.answers.push({ at, tookMs: at - sentAt, status });
  }

  acknowledge(entry: Entry): void {
    this.#acknowledged += 1;
    entry.acknowledged = true;
    entry.acknowledgedAt = performance.now();
  }

  /** Waits until so many more changes were acknowledged: a fault that meets no work shows nothing. Gives up in the end. */
  async more(count: number): Promise<void> {
    const before = this.#acknowledged;
    for (let n = 0; n < MOST_WAITS && this.#acknowledged < before + count; n += 1) await sleep(WAIT_MS);
  }

  /** How long after a moment the first change that was asked for later was acknowledged; null where none was. */
  servedAgain(moment: number): number | null {
    const later = this.entries.flatMap(({ acknowledgedAt, sentAt }) =>
      acknowledgedAt !== null && sentAt >= moment ? [acknowledgedAt - moment] : [],
    );
    return later.length === 0 ? null : Math.min(...later);
  }

  /** The answers that came in a span of time, by status; `none` counts requests that got none. */
  statuses(from: number, to = Infinity): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { at, status } of this.answers)
      if (at >= from && at <= to) counts[status ?? 'none'] = (counts[status ?? 'none'] ?? 0) + 1;
    return counts;
  }

  /** How long the slowest answer took of those that came in a span of time. */
  slowest(from: number, to = Infinity): number {
    return Math.max(0, ...this.answers.filter(({ at }) => at >= from && at <= to).map(({ tookMs }) => tookMs));
  }
}
