import { describe, expect, it } from 'vitest';
import { checkpoint, COUNT, elsewhere, eventAt, seqs, span, walked } from './walk.arbitrary.ts';

describe('unreadable lines', () => {
  it('are attributed to missing events, but to no more than are missing', () => {
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

  it('are reported instead of the gap, not in addition to it', () => {
    expect(walked([{ line: 2 }, 2, 3]).found).toEqual([
      ['unreadable', 1],
      ['unsealed', 1],
    ]);
  });

  it('prevent the next event’s link and all later checkpoints from being checked', () => {
    const checkpoints = [checkpoint(COUNT, { root: elsewhere })];
    const parts = [1, { line: 3 }, ...seqs(3, COUNT)];
    expect(walked(parts, { checkpoints })).toMatchObject({
      found: [
        ['unreadable', 2],
        ['unsealed', 1],
      ],
      matched: [],
    });
    const early = { ...eventAt(3), at: eventAt(1).at - 1n };
    expect(walked([1, { line: 3 }, early]).found).toContainEqual(['order', 3]);
  });

  it('are attributed to missing events before a span', () => {
    const checkpoints = [checkpoint(5, { root: elsewhere })];
    expect(walked([1, { line: 3 }, span(3, 5)], { checkpoints }).found).toEqual([
      ['unreadable', 2],
      ['unsealed', 1],
    ]);
    expect(walked([1, { line: 3 }, { line: 4 }, { line: 5 }, span(3, 5)]).found).toEqual([
      ['unreadable', 2],
      ['unreadable', null],
      ['unreadable', null],
      ['unsealed', 1],
    ]);
    expect(walked([1, { line: 3 }, span(4, 5)]).found).toEqual([
      ['unreadable', 2],
      ['gap', 3],
      ['unsealed', 1],
    ]);
  });

  it('are attributed to missing events at the end, up to the expected last event', () => {
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
  it('replaces its events, so the walk continues after it', () => {
    expect(walked([span(1, 3), 4, span(5, 7), 8], { checkpoints: [checkpoint(COUNT)] })).toMatchObject({
      events: 2,
      skipped: 6,
      head: { seq: COUNT },
      matched: [COUNT],
      found: [],
      last: COUNT,
    });
    expect(walked([1, span(2, 3)], { checkpoints: [checkpoint(1)] })).toMatchObject({ head: { seq: 1 }, last: 3 });
    const early = { ...eventAt(4), at: eventAt(1).at - 1n };
    expect(walked([1, span(2, 3), early]).found).toContainEqual(['order', 4]);
  });

  it('is reported as a gap if it begins too early or too late', () => {
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
    const late = [1, 2, { ...span(3, 5), from: 4 }, ...seqs(6, COUNT)];
    expect(walked(late, { checkpoints: [checkpoint(COUNT)] })).toMatchObject({ matched: [] });
  });

  it('is rejected if its subtrees don’t match its range', () => {
    const whole = span(2, 4);
    for (const nodes of [[], whole.nodes.slice(1), whole.nodes.slice(0, -1), whole.nodes.toReversed()])
      expect(walked([1, { ...whole, nodes }]).found[0]).toEqual(['unreadable', 2]);
    expect(walked([1, { ...whole, to: 5 }]).found[0]).toEqual(['unreadable', 2]);
    expect(walked([{ ...span(1, 4), nodes: [] }, span(5, 6)]).found).toEqual([['unreadable', 1]]);
  });

  it('is empty if it ends before it begins', () => {
    expect(walked([1, 2, { from: 3, to: 2, nodes: [] }, 3])).toMatchObject({ skipped: 0, events: 3, last: 3 });
    expect(walked([1, 2, { from: 3, to: 0, nodes: [] }])).toMatchObject({ skipped: 0 });
  });
});
