import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chainOf, nextEvent, OTHER_ORG, someRecords } from './audit.arbitrary.ts';
import type { AuditEvent } from './events.ts';
import { eventHash, GENESIS, payloadDigest } from './hash.ts';
import { verifyChain } from './verify.ts';

const COUNT = 6;
const chain = chainOf(someRecords(COUNT));
const place = fc.nat(COUNT - 1);
const byte = fc.record({ at: fc.nat(15), flip: fc.integer({ min: 1, max: 255 }) });

const flipped = (bytes: Uint8Array | null, { at, flip }: { at: number; flip: number }) =>
  bytes && bytes.map((value, index) => (index === at ? value ^ flip : value));

const edit: fc.Arbitrary<(event: AuditEvent) => AuditEvent> = fc.oneof(
  fc.constantFrom<(event: AuditEvent) => AuditEvent>(
    (event) => ({ ...event, orgId: OTHER_ORG }),
    (event) => ({ ...event, actor: 'someone-else' }),
    (event) => ({ ...event, action: 'draft.approved' }),
    (event) => ({ ...event, subjectType: 'workflow' }),
    (event) => ({ ...event, subjectId: 'another' }),
    (event) => ({ ...event, runId: 'another' }),
    (event) => ({ ...event, payload: `${event.payload} ` }),
    (event) => ({ ...event, payload: String(event.payload).replace('Priya', 'Ellen') }),
    (event) => ({ ...event, payload: null }),
    (event) => ({ ...event, salt: null }),
    (event) => ({ ...event, payload: null, salt: null }),
    (event) => ({ ...event, at: event.at + 2n ** 64n }),
  ),
  fc
    .tuple(fc.constantFrom('salt' as const, 'digest' as const, 'prev' as const, 'hash' as const), byte)
    .map(([column, change]) => (event: AuditEvent) => ({ ...event, [column]: flipped(event[column], change) })),
  fc.bigInt({ min: 1n, max: 10n ** 12n }).map((by) => (event: AuditEvent) => ({ ...event, at: event.at - by })),
  fc.integer({ min: 1, max: 99 }).map((by) => (event: AuditEvent) => ({ ...event, seq: event.seq + by })),
);

describe('an unchanged chain', () => {
  it('is valid, and the verdict contains its head and length', () => {
    expect(verifyChain(chain)).toEqual({ ok: true, head: chain.at(-1)?.hash, count: COUNT });
    expect(verifyChain([])).toEqual({ ok: true, head: GENESIS, count: 0 });
  });

  it('can be verified in parts, each from the end of the previous part', () => {
    const start = chain[2];
    expect(start && verifyChain(chain.slice(3), start)).toEqual({
      ok: true,
      head: chain.at(-1)?.hash,
      count: COUNT - 3,
    });
    expect(verifyChain(chain.slice(3))).toMatchObject({ ok: false, problem: 'gap' });
  });
});

describe('a changed chain', () => {
  it('is detected at the edited event or the next one, whichever column was edited', () => {
    fc.assert(
      fc.property(place, edit, (index, change) => {
        const verdict = verifyChain(chain.map((event, at) => (at === index ? change(event) : event)));
        expect(verdict.ok).toBe(false);
        // The first event decides which organization the chain belongs to. If its organization is edited, the second is
        // reported.
        if (!verdict.ok) expect([index + 1, index + 2]).toContain(verdict.firstBadSeq);
      }),
      { numRuns: 1000 },
    );
  });

  it('is detected at the next event if an edited event has a recomputed hash', () => {
    fc.assert(
      fc.property(fc.nat(COUNT - 2), (index) => {
        const forged = chain.map((event, at) => (at === index ? rehashed({ ...event, at: event.at + 1n }) : event));
        expect(verifyChain(forged)).toEqual({ ok: false, firstBadSeq: index + 2, problem: 'link' });
      }),
    );
  });

  it('is detected if an event was removed, except at the end, where only the head differs', () => {
    fc.assert(
      fc.property(fc.nat(COUNT - 2), (index) => {
        expect(verifyChain(chain.toSpliced(index, 1))).toEqual({ ok: false, firstBadSeq: index + 1, problem: 'gap' });
      }),
    );
    expect(verifyChain(chain.slice(0, -1))).toMatchObject({ ok: true, head: chain.at(-2)?.hash });
  });

  it('is detected if events were swapped or duplicated', () => {
    fc.assert(
      fc.property(place, place, (one, other) => {
        fc.pre(one !== other);
        const [first, second] = [chain[one], chain[other]];
        if (first === undefined || second === undefined) throw new Error('no such event');
        expect(verifyChain(chain.with(one, second).with(other, first))).toMatchObject({ ok: false, problem: 'gap' });
        expect(verifyChain(chain.toSpliced(one, 0, second)).ok).toBe(false);
      }),
    );
  });
});

describe('verifyChain', () => {
  const [first] = chain;
  if (first === undefined) throw new Error('no event');
  const problemOf = (...events: AuditEvent[]) => {
    const verdict = verifyChain(events);
    return verdict.ok ? 'none' : verdict.problem;
  };

  it('reports a wrong order and a wrong organization', () => {
    const [record] = someRecords(1);
    if (record === undefined) throw new Error('no record');
    expect(problemOf(first, nextEvent(first, record, first.at - 1n))).toBe('order');
    const foreign = rehashed({ ...nextEvent(first, record, first.at), orgId: OTHER_ORG });
    expect(problemOf(first, foreign)).toBe('organization');
    expect(verifyChain([first, { ...foreign, seq: 5 }])).toEqual({
      ok: false,
      firstBadSeq: 5,
      problem: 'organization',
    });
  });

  it('reports a payload with the same meaning but different text, even if its digest was recomputed', () => {
    const payload = ` ${first.payload}`;
    const salt = new Uint8Array(16);
    expect(problemOf(rehashed({ ...first, payload, salt, digest: payloadDigest(salt, payload) }))).toBe('form');
    expect(problemOf(rehashed({ ...first, payload: 'null', salt, digest: payloadDigest(salt, 'null') }))).toBe('form');
  });

  it('reports wrong derived columns, digests and hashes', () => {
    expect(problemOf({ ...first, action: 'draft.merged' })).toBe('derived');
    expect(problemOf({ ...first, payload: '{}' })).toBe('digest');
    expect(problemOf({ ...first, hash: GENESIS })).toBe('hash');
    expect(problemOf({ ...first, orgId: 'acme' })).toBe('hash');
    expect(problemOf({ ...first, payload: null, salt: null })).toBe('erased');
  });
});

function rehashed(event: AuditEvent): AuditEvent {
  return { ...event, hash: eventHash(event) };
}
