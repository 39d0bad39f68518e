import { describe, expect, it } from 'vitest';
import { nextEvent, ORG } from '../audit.arbitrary.ts';
import { type AuditEvent, SYSTEM_ACTOR, erasureRecord } from '../events.ts';
import { checkpoint, COUNT, elsewhere, eventAt, seqs, span, walked } from './walk.arbitrary.ts';

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
    expect(walked([1, { ...foreign, seq: 5 }]).found).toContainEqual(['organization', 5]);
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
