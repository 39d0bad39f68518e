import { describe, expect, it } from 'vitest';
import { isMac, macOf, ORG, OTHER_ORG } from '../audit.arbitrary.ts';
import { macProblem } from '../event-mac.ts';
import { macProblemOf } from './events.ts';
import type { AuditEvent } from '../events.ts';
import { checkpoint, COUNT, elsewhere, eventAt, seqs, span, walked } from './walk.arbitrary.ts';

describe('a walk over a trail', () => {
  it('has no findings if there are no events', () => {
    expect(walked([])).toEqual({ events: 0, skipped: 0, head: null, sealed: null, matched: [], last: 0, found: [] });
  });

  it('returns the number of events, the last event and the last valid checkpoint', () => {
    const checkpoints = [checkpoint(3), checkpoint(COUNT)];
    expect(walked(seqs(1, COUNT), { checkpoints })).toEqual({
      events: COUNT,
      skipped: 0,
      head: { seq: COUNT, hash: eventAt(COUNT).hash },
      sealed: checkpoints[1],
      matched: [3, COUNT],
      last: COUNT,
      found: [],
    });
  });

  it('accepts any organization if none is given', () => {
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

  it('expects the first event to have number 1 and no predecessor', () => {
    expect(walked([2]).found).toContainEqual(['gap', 1]);
    expect(walked([{ ...eventAt(1), prev: elsewhere }]).found).toContainEqual(['link', 1]);
    const early = { ...eventAt(1), at: -(2n ** 63n) };
    expect(walked([early]).found[0]).toEqual(['hash', 1]);
  });

  it('reports the first unsealed event', () => {
    expect(walked(seqs(1, 4), { checkpoints: [checkpoint(3)] }).found).toEqual([['unsealed', 4]]);
    expect(walked(seqs(1, 4)).found).toEqual([['unsealed', 1]]);
    expect(walked([...seqs(1, 3), span(4, 6)], { checkpoints: [checkpoint(3)] }).found).toEqual([]);
  });
});

describe('a checkpoint', () => {
  it('is reported as `root` if only its root is wrong, and as `rewrite` for a different last event', () => {
    const all = seqs(1, 4);
    const next = checkpoint(4);
    expect(walked(all, { checkpoints: [checkpoint(2, { root: elsewhere }), next] })).toMatchObject({
      found: [['root', 2]],
      matched: [4],
    });
    expect(walked(all, { checkpoints: [checkpoint(2, { head: elsewhere }), next] }).found).toEqual([['rewrite', 2]]);
    expect(walked(all, { checkpoints: [checkpoint(2, { root: elsewhere, head: elsewhere }), next] }).found).toEqual([
      ['rewrite', 2],
    ]);
  });

  it('is checked each time it occurs', () => {
    const checkpoints = [checkpoint(2), checkpoint(2, { root: elsewhere }), checkpoint(2)];
    expect(walked([1, 2], { checkpoints })).toMatchObject({ found: [['root', 2]], matched: [2, 2] });
  });

  it('is checked only at the end of a span, and not at all within one', () => {
    const parts = [1, span(2, 5), ...seqs(6, COUNT)];
    const checkpoints = [checkpoint(3, { root: elsewhere }), checkpoint(5, { head: elsewhere }), checkpoint(COUNT)];
    expect(walked(parts, { checkpoints })).toMatchObject({ found: [], matched: [5, COUNT], skipped: 4, events: 4 });
    expect(walked(parts, { checkpoints: [checkpoint(5, { root: elsewhere }), checkpoint(COUNT)] }).found).toEqual([
      ['rewrite', 5],
    ]);
  });

  it('isn’t checked if it covers events that don’t exist', () => {
    expect(walked([1, 2], { checkpoints: [checkpoint(2), checkpoint(3, { root: elsewhere })] })).toMatchObject({
      found: [],
      matched: [2],
    });
  });

  it('isn’t checked if events before it are missing', () => {
    const checkpoints = [checkpoint(2), checkpoint(COUNT, { root: elsewhere })];
    expect(walked([1, 2, ...seqs(4, COUNT)], { checkpoints }).found).toEqual([
      ['gap', 3],
      ['unsealed', 3],
    ]);
  });
});

describe('an event without content', () => {
  it('is reported as `erased`', () => {
    expect(walked([1, { ...eventAt(2), payload: null, salt: null }, 3]).found).toEqual([
      ['erased', 2],
      ['unsealed', 1],
    ]);
  });
});

describe('MACs', () => {
  const macs = { none: 2, isMac };
  const made = seqs(1, 5).map((seq) => ({ ...eventAt(seq), mac: seq > 2 ? macOf(eventAt(seq)) : null }));
  const found = (...changed: AuditEvent[]) =>
    walked(
      made.map((event) => changed.find(({ seq }) => seq === event.seq) ?? event),
      { macs },
    ).found.filter(([kind]) => kind !== 'unsealed');

  it('are required for every event since MACs were introduced', () => {
    expect(found()).toEqual([]);
    expect(walked(made, { macs: { ...macs, none: 1 } }).found).toContainEqual(['mac', 2]);
  });

  it('are reported if missing, for a different event, time or key, or with an impossible time', () => {
    const [third, fourth] = [eventAt(3), eventAt(4)];
    const mac = macOf(third);
    const wrong = [
      null,
      macOf(fourth),
      { ...mac, madeAt: mac.madeAt + 1n },
      { ...mac, madeAt: 2n ** 63n },
      { ...mac, bytes: mac.bytes.slice(1) },
      macOf(third, 'another key'),
    ];
    for (const other of wrong) expect(found({ ...third, mac: other })).toEqual([['mac', 3]]);
    expect(found({ ...eventAt(1), mac })).toEqual([['mac', 1]]);
  });

  it.each(['actor', 'action', 'subjectType', 'subjectId', 'runId'] as const)('cover the field %s', (field) => {
    const event = { ...eventAt(3), mac: macOf(eventAt(3)) };
    for (const problemOf of [macProblem, macProblemOf]) {
      expect(problemOf(event, macs)).toBeNull();
      expect(problemOf({ ...event, [field]: 'x' }, macs)).toBe('mac');
      expect(problemOf({ ...event, orgId: OTHER_ORG }, macs)).toBe('mac');
      expect(problemOf({ ...event, digest: new Uint8Array(32) }, macs)).toBe('mac');
      expect(problemOf({ ...event, mac: { ...event.mac, madeAt: 2n ** 63n } }, macs)).toBe('mac');
    }
  });
});
