import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ORG } from './audit.arbitrary.ts';
import { bundleOf, checkpointOver, FORGER, headerOf } from './bundle.arbitrary.ts';
import { writeBundleLine } from './bundle.ts';
import type { AuditEvent } from './events.ts';
import type { FindingKind } from './findings.ts';
import { eventHash, payloadDigest } from './hash.ts';
import { writeNoteKey } from './note.ts';
import { keyNamed } from './signing.arbitrary.ts';
import { originOf } from './checkpoint.ts';
import {
  COUNT,
  bundle,
  chain,
  savedCheckpoints,
  kindsOf,
  numRuns,
  patience,
  verify,
} from './exported-bundle.arbitrary.ts';

describe('a changed bundle', () => {
  const lineNumber = fc.nat(bundle.length - 1);

  it('is detected if any character was changed', patience, () => {
    fc.assert(
      fc.property(lineNumber, fc.nat(), fc.string({ minLength: 0, maxLength: 2 }), (index, any, put) => {
        const line = bundle[index] ?? '';
        const at = any % line.length;
        const changed = line.slice(0, at) + put + line.slice(at + 1);
        fc.pre(changed !== line);
        expect(verify(bundle.with(index, changed)).verdict).not.toBe('intact');
      }),
      { numRuns },
    );
  });

  it('is detected if a line was removed, duplicated or moved, or the file was cut off', patience, () => {
    fc.assert(
      fc.property(
        lineNumber,
        lineNumber,
        fc.constantFrom('remove', 'double', 'exchange', 'cut', 'empty'),
        (one, other, how) => {
          const [first = '', second = ''] = [bundle[one], bundle[other]];
          fc.pre(how !== 'exchange' || first !== second);
          const changed = {
            remove: () => bundle.toSpliced(one, 1),
            double: () => bundle.toSpliced(other, 0, first),
            exchange: () => bundle.with(one, second).with(other, first),
            cut: () => bundle.slice(0, one),
            empty: () => bundle.toSpliced(one, 0, ''),
          }[how]();
          expect(verify(changed).verdict).not.toBe('intact');
        },
      ),
      { numRuns },
    );
  });
});

// In the tests below, the attacker knows the format but doesn't have the key: the file is unsigned, or signed with
// another key.
type Tampering = { events: readonly AuditEvent[]; from: number };

/**
 * Returns the lines that someone without the key can make from events: a header with matching counts and the events,
 * without checkpoints or an end.
 */
const unsigned = (events: readonly AuditEvent[]): string[] => [
  writeBundleLine(headerOf(events.length, events.at(-1)?.seq ?? 0)),
  ...events.map((event) => writeBundleLine({ type: 'event', event })),
];
const beyondCut = (kinds: readonly FindingKind[]): FindingKind[] =>
  kinds.filter((kind) => kind !== 'cut' && kind !== 'unsealed');

function rehashedFrom(events: readonly AuditEvent[], index: number): AuditEvent[] {
  const rehashed = events.slice(0, index);
  for (const [at, event] of events.slice(index).entries()) {
    const fields = { ...event, seq: index + at + 1, prev: rehashed.at(-1)?.hash ?? new Uint8Array(32) };
    const digest =
      event.payload === null || event.salt === null ? event.digest : payloadDigest(event.salt, event.payload);
    rehashed.push({ ...fields, digest, hash: eventHash({ ...fields, digest }) });
  }
  return rehashed;
}

const place = fc.nat(COUNT - 1);
const renamed = (event: AuditEvent): AuditEvent => ({
  ...event,
  payload: String(event.payload).replace('Priya', 'Ellen'),
});
const edits: readonly ((event: AuditEvent) => AuditEvent)[] = [
  renamed,
  (event) => ({ ...event, actor: 'someone-else' }),
  (event) => ({ ...event, at: event.at + 1n }),
  (event) => ({ ...event, payload: null, salt: null }),
];
const editedAt = (from: number, change: (event: AuditEvent) => AuditEvent): Tampering => ({
  from,
  events: chain.map((event, at) => (at === from ? change(event) : event)),
});
const later = (event: AuditEvent): AuditEvent => ({ ...event, at: event.at + 1n });
const tampering: fc.Arbitrary<Tampering> = fc.oneof(
  fc.tuple(place, fc.constantFrom(...edits)).map(([from, change]) => editedAt(from, change)),
  // The last event isn't edited here: no later event contains its hash, so only a checkpoint can reveal the edit.
  fc.nat(COUNT - 2).map((from) => editedAt(from, (event) => ({ ...later(event), hash: eventHash(later(event)) }))),
  fc.nat(COUNT - 2).map((from) => ({ from, events: chain.toSpliced(from, 1) })),
  fc
    .tuple(place, place)
    .filter(([a, b]) => a < b)
    .map(([a, b]) => {
      const [first, second] = [chain[a], chain[b]];
      return { from: a, events: first && second ? chain.with(a, second).with(b, first) : chain };
    }),
);
// The last event isn't changed here: doubling it would only add an unsealed event, not rewrite a sealed one.
const rewrite: fc.Arbitrary<Tampering> = fc
  .tuple(fc.nat(COUNT - 2), fc.constantFrom('rename', 'remove', 'double'))
  .map(([from, how]) => {
    const event = chain[from];
    if (event === undefined) throw new Error('no such event');
    const changed = {
      rename: chain.with(from, renamed(event)),
      remove: chain.toSpliced(from, 1),
      double: chain.toSpliced(from, 0, event),
    }[how as 'rename'];
    return { from, events: rehashedFrom(changed, from) };
  });

describe('tampering without the key', () => {
  it('is found by the chain alone if events were edited, removed or swapped', patience, () => {
    fc.assert(
      fc.property(tampering, ({ events, from }) => {
        const report = verify(unsigned(events), { checkpoints: [] });
        expect(beyondCut(report.findings.map(({ kind }) => kind))).not.toEqual([]);
        expect(report.verdict).toBe('tampered');
        expect(report.findings[0]?.seq).toBeGreaterThanOrEqual(from + 1);
        expect(report.findings[0]?.seq).toBeLessThanOrEqual(from + 2);
      }),
      { numRuns },
    );
  });

  it('is found by a saved checkpoint if events at the end were removed', patience, () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: COUNT - 1 }), (left) => {
        expect(
          verify(unsigned(chain.slice(0, left)), { checkpoints: [] }).findings.map(({ kind }) => kind),
        ).not.toContain('truncation');
        const report = verify(unsigned(chain.slice(0, left)));
        expect(report.findings).toContainEqual({ kind: 'truncation', seq: left < 5 ? 5 : COUNT, line: null });
        expect(report.verdict).toBe('incomplete');
      }),
      { numRuns: 40 },
    );
  });

  it('is found by a saved checkpoint after a rehash, and by the known key if checkpoints are forged', patience, () => {
    fc.assert(
      fc.property(rewrite, fc.boolean(), ({ events }, isForged) => {
        const forged = bundleOf(events, [events.length], { key: FORGER, header: { key: writeNoteKey(FORGER) } });
        const lines = isForged ? forged : unsigned(events);
        expect(kindsOf(lines, { checkpoints: isForged ? [] : savedCheckpoints })).toContain(
          isForged ? 'signature' : events.length < COUNT ? 'truncation' : 'rewrite',
        );
        expect(verify(lines).verdict).not.toBe('intact');
        // The file contains the forger's key. Without given keys or checkpoints, it is consistent, but its origin is
        // unproved.
        if (isForged)
          expect(verify(forged, { keys: [], checkpoints: [] })).toMatchObject({ verdict: 'intact', trust: 'none' });
      }),
      { numRuns },
    );
  });

  it('is found without a key by saved checkpoints, even if the forger names another organization', patience, () => {
    const other = ORG.replace('018f', '018e');
    fc.assert(
      fc.property(rewrite, fc.boolean(), ({ events }, isRenamed) => {
        const orgId = isRenamed ? other : ORG;
        const forger = keyNamed(originOf(orgId), 2);
        const rehashed = rehashedFrom(
          events.map((event) => ({ ...event, orgId })),
          0,
        );
        const forged = bundleOf(rehashed, [rehashed.length], {
          orgId,
          key: forger,
          header: { key: writeNoteKey(forger), org: { id: orgId, name: 'Halden Works' } },
        });
        // The forgery is consistent, so only a checkpoint saved elsewhere can reveal it.
        expect(verify(forged, { keys: [], checkpoints: [] })).toMatchObject({ verdict: 'intact', trust: 'none' });
        const report = verify(forged, { keys: [] });
        expect(report).toMatchObject({ verdict: isRenamed ? 'incomplete' : 'tampered', trust: 'none' });
        expect(report.findings.map(({ kind }) => kind)).toContain(isRenamed ? 'foreign' : 'signature');
      }),
      { numRuns },
    );
  });

  it('is found in a partial bundle whose other events are replaced with spans', () => {
    fc.assert(
      fc.property(place, (index) => {
        const event = chain[index];
        if (event === undefined) throw new Error('no such event');
        const forged = rehashedFrom(chain.with(index, renamed(event)), index);
        const whole = chain.map((event, at) => (at === index ? (forged[index] ?? event) : event));
        const part = bundleOf(whole, [], { isTaken: ({ seq }) => seq === index + 1 });
        expect(
          kindsOf([...part.slice(0, -1), writeBundleLine({ type: 'checkpoint', note: checkpointOver(chain, COUNT) })]),
        ).toContain('rewrite');
      }),
    );
  });
});
