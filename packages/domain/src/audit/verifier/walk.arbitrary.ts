import { chainOf, ORG, someRecords } from '../audit.arbitrary.ts';
import type { Checkpoint } from '../checkpoint.ts';
import type { MacCheck } from '../event-mac.ts';
import type { AuditEvent } from '../events.ts';
import type { Finding } from '../findings.ts';
import { appendLeaf, emptyRange, merkleRoot } from '../merkle.ts';
import { openTrailWalk, type SkippedSpan } from './trail-walk.ts';

export const COUNT = 8;
const chain = chainOf(someRecords(COUNT));
export const elsewhere = new Uint8Array(32).fill(1);
/** Test support: returns an event of one trail, by its number. */
export const eventAt = (seq: number): AuditEvent => {
  const event = chain[seq - 1];
  if (!event) throw new Error('no such event');
  return event;
};
/** Test support: returns the checkpoint of the trail's first `size` events. */
export const checkpoint = (size: number, change: Partial<Checkpoint> = {}): Checkpoint => ({
  orgId: ORG,
  size,
  root: merkleRoot(chain.slice(0, size).map(({ hash }) => hash)),
  head: eventAt(size).hash,
  at: '2026-11-21T12:00:00.000Z',
  ...change,
});
/** Test support: returns a span that replaces some of the trail's events. */
export const span = (from: number, to: number): SkippedSpan => ({
  from,
  to,
  nodes: chain.slice(from - 1, to).reduce((range, { hash }) => appendLeaf(range, hash), emptyRange(from - 1)).nodes,
});

/** Test support: an event or its number, a span, or an unreadable line. */
type Part = number | AuditEvent | SkippedSpan | { line: number };
export const walked = (
  parts: readonly Part[],
  {
    checkpoints = [],
    orgId = ORG,
    last,
    macs = null,
  }: { checkpoints?: readonly Checkpoint[]; orgId?: string | null; last?: number; macs?: MacCheck | null } = {},
) => {
  const found: [Finding['kind'], number | null][] = [];
  const walk = openTrailWalk({
    orgId,
    checkpoints,
    find: (kind, { seq = null } = {}) => found.push([kind, seq]),
    macs,
  });
  for (const part of parts) {
    if (typeof part === 'number') walk.event(eventAt(part));
    else if ('nodes' in part) walk.skipped(part);
    else if ('line' in part) walk.unreadable(part.line);
    else walk.event(part);
  }
  const { matched, ...end } = walk.finish(last);
  return { ...end, matched: [...matched].map(({ size }) => size), found };
};
export const seqs = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);
