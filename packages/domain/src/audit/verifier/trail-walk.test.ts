import { describe, expect, it } from 'vitest';
import { chainOf, nextEvent, ORG, someRecords } from '../audit.arbitrary.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { type AuditEvent, SYSTEM_ACTOR, erasureRecord } from '../events.ts';
import type { Finding } from '../findings.ts';
import { appendLeaf, emptyRange, merkleRoot } from '../merkle.ts';
import { openTrailWalk, type SkippedSpan } from './trail-walk.ts';

const COUNT = 8;
const chain = chainOf(someRecords(COUNT));
const elsewhere = new Uint8Array(32).fill(1);
const eventAt = (seq: number): AuditEvent => {
  const event = chain[seq - 1];
  if (!event) throw new Error('no such event');
  return event;
};
const checkpoint = (size: number, change: Partial<Checkpoint> = {}): Checkpoint => ({
  orgId: ORG,
  size,
  root: merkleRoot(chain.slice(0, size).map(({ hash }) => hash)),
  head: eventAt(size).hash,
  at: '2026-11-21T12:00:00.000Z',
  ...change,
});
const span = (from: number, to: number): SkippedSpan => ({
  from,
  to,
  nodes: chain.slice(from - 1, to).reduce((range, { hash }) => appendLeaf(range, hash), emptyRange(from - 1)).nodes,
});

/** What stands in a bundle, one after the other: an event by its number or as it is, a span, a line that can't be read. */
type Part = number | AuditEvent | SkippedSpan | { line: number };
const walked = (
  parts: readonly Part[],
  {
    checkpoints = [],
    orgId = ORG,
    last,
  }: { checkpoints?: readonly Checkpoint[]; orgId?: string | null; last?: number } = {},
) => {
  const found: [Finding['kind'], number | null][] = [];
  const walk = openTrailWalk({ orgId, checkpoints, find: (kind, { seq = null } = {}) => found.push([kind, seq]) });
  for (const part of parts) {
    if (typeof part === 'number') walk.event(eventAt(part));
    else if ('nodes' in part) walk.skipped(part);
    else if ('line' in part) walk.unreadable(part.line);
    else walk.event(part);
  }
  const { held, ...end } = walk.finish(last);
  return { ...end, held: [...held].map(({ size }) => size), found };
};
const seqs = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe('a walk over a trail', () => {
  it('of no events finds nothing', () => {
    expect(walked([])).toEqual({ events: 0, skipped: 0, head: null, sealed: null, held: [], last: 0, found: [] });
  });

  it('counts what it meets, and names the last event and the last checkpoint that held', () => {
    const checkpoints = [checkpoint(3), checkpoint(COUNT)];
    expect(walked(seqs(1, COUNT), { checkpoints })).toEqual({
      events: COUNT,
      skipped: 0,
      head: { seq: COUNT, hash: eventAt(COUNT).hash },
      sealed: checkpoints[1],
      held: [3, COUNT],
      last: COUNT,
      found: [],
    });
  });

  it('takes the organization of each event for its own where none is named', () => {
    const foreign = { ...eventAt(1), orgId: ORG.replace('018f', '018e') };
    expect(walked([1], { orgId: null }).found).toEqual([['unsealed', 1]]);
    expect(walked([foreign]).found).toEqual([
      ['organization', 1],
      ['unsealed', 1],
    ]);
    expect(walked([foreign], { orgId: null }).found).toEqual([
      ['hash', 1],
      ['unsealed', 1],
    ]);
  });

  it('begins at number 1, with an event that names no other before it', () => {
    expect(walked([2]).found).toContainEqual(['gap', 1]);
    expect(walked([{ ...eventAt(1), prev: elsewhere }]).found).toContainEqual(['link', 1]);
    const early = { ...eventAt(1), at: -(2n ** 63n) };
    expect(walked([early]).found[0]).toEqual(['hash', 1]);
  });

  it('tells from which event on nothing is sealed', () => {
    expect(walked(seqs(1, 4), { checkpoints: [checkpoint(3)] }).found).toEqual([['unsealed', 4]]);
    expect(walked(seqs(1, 4)).found).toEqual([['unsealed', 1]]);
    expect(walked([...seqs(1, 3), span(4, 6)], { checkpoints: [checkpoint(3)] }).found).toEqual([]);
  });
});

describe('a checkpoint', () => {
  it('that has another root than the trail is told apart from one of another trail', () => {
    const all = seqs(1, 4);
    const next = checkpoint(4);
    expect(walked(all, { checkpoints: [checkpoint(2, { root: elsewhere }), next] })).toMatchObject({
      found: [['root', 2]],
      held: [4],
    });
    expect(walked(all, { checkpoints: [checkpoint(2, { head: elsewhere }), next] }).found).toEqual([['rewrite', 2]]);
    expect(walked(all, { checkpoints: [checkpoint(2, { root: elsewhere, head: elsewhere }), next] }).found).toEqual([
      ['rewrite', 2],
    ]);
  });

  it('of a size that is given twice is held against the trail twice', () => {
    const checkpoints = [checkpoint(2), checkpoint(2, { root: elsewhere }), checkpoint(2)];
    expect(walked([1, 2], { checkpoints })).toMatchObject({ found: [['root', 2]], held: [2, 2] });
  });

  it('at the end of a span is held against the tree alone; within one it is not looked at', () => {
    const parts = [1, span(2, 5), ...seqs(6, COUNT)];
    const checkpoints = [checkpoint(3, { root: elsewhere }), checkpoint(5, { head: elsewhere }), checkpoint(COUNT)];
    expect(walked(parts, { checkpoints })).toMatchObject({ found: [], held: [5, COUNT], skipped: 4, events: 4 });
    expect(walked(parts, { checkpoints: [checkpoint(5, { root: elsewhere }), checkpoint(COUNT)] }).found).toEqual([
      ['rewrite', 5],
    ]);
  });

  it('behind the last event is not looked at', () => {
    expect(walked([1, 2], { checkpoints: [checkpoint(2), checkpoint(3, { root: elsewhere })] })).toMatchObject({
      found: [],
      held: [2],
    });
  });

  it('behind events that are missing can not be had', () => {
    const checkpoints = [checkpoint(2), checkpoint(COUNT, { root: elsewhere })];
    expect(walked([1, 2, ...seqs(4, COUNT)], { checkpoints }).found).toEqual([
      ['gap', 3],
      ['unsealed', 3],
    ]);
  });
});

describe('lines that can not be read', () => {
  it('are the events that are missing there, as far as those go', () => {
    const line = { line: 9 };
    expect(walked([1, line, 3]).found).toEqual([
      ['unreadable', 2],
      ['unsealed', 1],
    ]);
    expect(walked([1, line, line, line, 4]).found).toEqual([
      ['unreadable', 2],
      ['unreadable', 3],
      ['unreadable', null],
      ['unsealed', 1],
    ]);
    expect(walked([1, line, 2]).found).toEqual([
      ['unreadable', null],
      ['unsealed', 1],
    ]);
    expect(walked([1, line, 4]).found).toEqual([
      ['unreadable', 2],
      ['gap', 3],
      ['unsealed', 1],
    ]);
    expect(walked([1, 2, line, 2]).found).toEqual([
      ['unreadable', null],
      ['gap', 3],
      ['unsealed', 1],
    ]);
  });

  it('are told once', () => {
    expect(walked([{ line: 2 }, 2, 3]).found).toEqual([
      ['unreadable', 1],
      ['unsealed', 1],
    ]);
  });

  it('leave what stands behind them to its own hash, and no tree to hold checkpoints against', () => {
    const checkpoints = [checkpoint(COUNT, { root: elsewhere })];
    const parts = [1, { line: 3 }, ...seqs(3, COUNT)];
    expect(walked(parts, { checkpoints })).toMatchObject({
      found: [
        ['unreadable', 2],
        ['unsealed', 1],
      ],
      held: [],
    });
    const early = { ...eventAt(3), at: eventAt(1).at - 1n };
    expect(walked([1, { line: 3 }, early]).found).toContainEqual(['order', 3]);
  });

  it('before a span are the events that are missing there', () => {
    const checkpoints = [checkpoint(5, { root: elsewhere })];
    expect(walked([1, { line: 3 }, span(3, 5)], { checkpoints }).found).toEqual([
      ['unreadable', 2],
      ['unsealed', 1],
    ]);
    expect(walked([1, { line: 3 }, span(4, 5)]).found).toEqual([
      ['unreadable', 2],
      ['gap', 3],
      ['unsealed', 1],
    ]);
  });

  it('at the end are the events up to the last that there should be', () => {
    expect(walked([1, { line: 3 }, { line: 4 }], { last: 3 })).toMatchObject({
      found: [
        ['unreadable', 2],
        ['unreadable', 3],
        ['unsealed', 1],
      ],
      last: 3,
    });
    expect(walked([1, { line: 3 }, { line: 4 }], { last: 2 })).toMatchObject({
      found: [
        ['unreadable', 2],
        ['unreadable', null],
        ['unsealed', 1],
      ],
      last: 2,
    });
    expect(walked([1, { line: 3 }])).toMatchObject({
      found: [
        ['unreadable', null],
        ['unsealed', 1],
      ],
      last: 1,
    });
    expect(walked([1, 2], { last: 1 })).toMatchObject({ found: [['unsealed', 1]], last: 2 });
  });
});

describe('a span', () => {
  it('stands for its events, and what is behind it goes on from its end', () => {
    expect(walked([span(1, 3), 4, span(5, 7), 8], { checkpoints: [checkpoint(COUNT)] })).toMatchObject({
      events: 2,
      skipped: 6,
      head: { seq: COUNT },
      held: [COUNT],
      found: [],
      last: COUNT,
    });
    expect(walked([1, span(2, 3)], { checkpoints: [checkpoint(1)] })).toMatchObject({ head: { seq: 1 }, last: 3 });
    const early = { ...eventAt(4), at: eventAt(1).at - 1n };
    expect(walked([1, span(2, 3), early]).found).toContainEqual(['order', 4]);
  });

  it('that begins too late or too early leaves a gap', () => {
    const gap = (from: number): [string, number | null][] => walked([1, 2, { ...span(4, 5), from }]).found;
    expect(gap(4)).toEqual([
      ['gap', 3],
      ['unsealed', 1],
    ]);
    expect(gap(2)).toEqual(gap(4));
    const checkpoints = [checkpoint(COUNT, { root: elsewhere })];
    expect(walked([1, span(3, 7), 8], { checkpoints }).found).toEqual([
      ['gap', 2],
      ['unsealed', 1],
    ]);
  });

  it('is not of other subtrees than those that make it up', () => {
    const whole = span(2, 4);
    for (const nodes of [[], whole.nodes.slice(1), whole.nodes.slice(0, -1), whole.nodes.toReversed()])
      expect(walked([1, { ...whole, nodes }]).found[0]).toEqual(['unreadable', 2]);
    expect(walked([1, { ...whole, to: 5 }]).found[0]).toEqual(['unreadable', 2]);
    expect(walked([{ ...span(1, 4), nodes: [] }, span(5, 6)]).found).toEqual([['unreadable', 1]]);
  });

  it('that ends before it begins stands for nothing', () => {
    expect(walked([1, 2, { from: 3, to: 2, nodes: [] }, 3])).toMatchObject({ skipped: 0, events: 3, last: 3 });
    expect(walked([1, 2, { from: 3, to: 0, nodes: [] }])).toMatchObject({ skipped: 0 });
  });
});

describe('an event that was erased', () => {
  const erase = (seq: number): AuditEvent => ({ ...eventAt(seq), payload: null, salt: null });
  const erasure = nextEvent(eventAt(3), erasureRecord({ actor: SYSTEM_ACTOR }, ORG, [2]), eventAt(3).at);

  it('is told where no later event says that it was', () => {
    expect(walked([1, erase(2), 3, erasure]).found).toEqual([['unsealed', 1]]);
    expect(walked([1, erase(2), erase(3), erasure]).found).toEqual([
      ['erased', 3],
      ['unsealed', 1],
    ]);
    expect(walked([1, erase(2)]).found).toEqual([
      ['erased', 2],
      ['unsealed', 1],
    ]);
  });
});
