import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chainOf, nextEvent, ORG, someRecords } from './audit.arbitrary.ts';
import { bundleOf, checkpointOver, ended, FORGER, headerOf, KEY } from './bundle.arbitrary.ts';
import { readBundleLine, writeBundleLine, type BundleLine } from './bundle.ts';
import { auditPayload, erasureRecord, SYSTEM_ACTOR, type AuditEvent } from './events.ts';
import { findingInWords, type FindingKind } from './findings.ts';
import { eventHash, payloadDigest } from './hash.ts';
import { writeNoteKey, type NoteKey } from './note.ts';
import { keyNamed, verifySignature } from './signing.arbitrary.ts';
import { originOf } from './checkpoint.ts';
import { MOST_FINDINGS, verifyBundle } from './verifier/verify-bundle.ts';

const COUNT = 13;
const chain = chainOf(someRecords(COUNT));
const bundle = bundleOf(chain, [5, COUNT]);
const kept = [checkpointOver(chain, 5), checkpointOver(chain, COUNT)];

const verify = (
  lines: Iterable<string>,
  {
    keys = [KEY],
    checkpoints = kept,
    isWhole = true,
  }: { keys?: readonly NoteKey[]; checkpoints?: readonly string[]; isWhole?: boolean } = {},
) => verifyBundle({ lines, keys, checkpoints, verifySignature, isWhole: () => isWhole });
const kindsOf = (lines: Iterable<string>, more: Parameters<typeof verify>[1] = {}): FindingKind[] =>
  verify(lines, more).findings.map(({ kind }) => kind);

/** The tampering tests at length: `STET_LONG=1`. */
const isLong =
  (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env['STET_LONG'] === '1';
const numRuns = isLong ? 10_000 : 120;
const patience = { timeout: isLong ? 3_600_000 : 60_000 };

describe('a bundle that nobody touched', () => {
  it('is intact, and tells how far it is sealed and by whose key that was checked', () => {
    expect(verify(bundle)).toMatchObject({
      verdict: 'intact',
      findings: [],
      events: COUNT,
      skipped: 0,
      head: { seq: COUNT },
      sealed: { size: COUNT },
      trust: 'key',
    });
    expect(verify(bundle, { keys: [] })).toMatchObject({ verdict: 'intact', trust: 'checkpoints' });
    expect(verify(bundle, { keys: [], checkpoints: [] })).toMatchObject({ verdict: 'intact', trust: 'none' });
  });

  it('may be of a part: a range, or the events of one run, with spans for the others', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: COUNT, maxLength: COUNT }), (taken) => {
        const events = taken.filter(Boolean).length;
        const part = bundleOf(chain, [COUNT], { isTaken: ({ seq }) => taken[seq - 1] === true });
        expect(verify(part)).toMatchObject({ verdict: 'intact', events, skipped: COUNT - events });
      }),
    );
  });

  it('is not cut short by checkpoints that were signed after the export, nor by those of others', () => {
    const more = chainOf(someRecords(COUNT + 2));
    const later = checkpointOver(more, COUNT + 2, KEY, '2026-11-22T00:00:00.001Z');
    expect(
      verify(bundle, { checkpoints: [...kept, later, later.replace(ORG, ORG.replace('018f', '018e'))] }).verdict,
    ).toBe('intact');
  });

  it('keeps its meaning line by line', () => {
    for (const text of bundle) {
      const line = readBundleLine(text);
      expect(line && writeBundleLine(line)).toBe(text);
    }
  });
});

describe('an exported bundle that was touched', () => {
  const lineNumber = fc.nat(bundle.length - 1);

  it('shows any change of any character', patience, () => {
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

  it('shows any line that was removed, doubled or moved, and any cut', patience, () => {
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

// From here on whoever tampers knows the form: header and end say what they should, only nobody signs for them.
type Tampering = { events: readonly AuditEvent[]; from: number };

/** What someone without the key can make of events: counts that fit, the checkpoints that there were, no end. */
const unsigned = (events: readonly AuditEvent[]): string[] => [
  writeBundleLine(headerOf(events.length, events.at(-1)?.seq ?? 0)),
  ...events.map((event) => writeBundleLine({ type: 'event', event })),
];
const beyondCut = (kinds: readonly FindingKind[]): FindingKind[] =>
  kinds.filter((kind) => kind !== 'cut' && kind !== 'unsealed');

function rehashedFrom(events: readonly AuditEvent[], index: number): AuditEvent[] {
  const anew = events.slice(0, index);
  for (const [at, event] of events.slice(index).entries()) {
    const fields = { ...event, seq: index + at + 1, prev: anew.at(-1)?.hash ?? new Uint8Array(32) };
    const digest =
      event.payload === null || event.salt === null ? event.digest : payloadDigest(event.salt, event.payload);
    anew.push({ ...fields, digest, hash: eventHash({ ...fields, digest }) });
  }
  return anew;
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
  // The last event has none behind it that names its hash: only a checkpoint does.
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
// Events behind the last checkpoint are nobody's yet: one more at the end is no rewrite of what was sealed.
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

describe('events that someone without the key tampered with', () => {
  it('are found by the chain alone where they were edited, removed or exchanged', patience, () => {
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

  it('are found by a kept checkpoint where the end was taken away', patience, () => {
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

  it(
    'are found by a kept checkpoint where everything was written and hashed anew, also when forged checkpoints and a forged end come with it',
    patience,
    () => {
      fc.assert(
        fc.property(rewrite, fc.boolean(), ({ events }, isForged) => {
          const forged = bundleOf(events, [events.length], { key: FORGER, header: { key: writeNoteKey(FORGER) } });
          const lines = isForged ? forged : unsigned(events);
          expect(kindsOf(lines, { checkpoints: isForged ? [] : kept })).toContain(
            isForged ? 'signature' : events.length < COUNT ? 'truncation' : 'rewrite',
          );
          expect(verify(lines).verdict).not.toBe('intact');
          // The forger's own word for it is worth nothing but what it says.
          if (isForged)
            expect(verify(forged, { keys: [], checkpoints: [] })).toMatchObject({ verdict: 'intact', trust: 'none' });
        }),
        { numRuns },
      );
    },
  );

  it('are found without a key by kept checkpoints, also where the forger names another organization', patience, () => {
    const other = ORG.replace('018f', '018e');
    fc.assert(
      fc.property(rewrite, fc.boolean(), ({ events }, isRenamed) => {
        const orgId = isRenamed ? other : ORG;
        const forger = keyNamed(originOf(orgId), 2);
        const anew = rehashedFrom(
          events.map((event) => ({ ...event, orgId })),
          0,
        );
        const forged = bundleOf(anew, [anew.length], {
          orgId,
          key: forger,
          header: { key: writeNoteKey(forger), org: { id: orgId, name: 'Halden Works' } },
        });
        // It is consistent: nothing but what was kept elsewhere can tell.
        expect(verify(forged, { keys: [], checkpoints: [] })).toMatchObject({ verdict: 'intact', trust: 'none' });
        const report = verify(forged, { keys: [] });
        expect(report).toMatchObject({ verdict: isRenamed ? 'incomplete' : 'tampered', trust: 'none' });
        expect(report.findings.map(({ kind }) => kind)).toContain(isRenamed ? 'foreign' : 'signature');
      }),
      { numRuns },
    );
  });

  it('are found in a part, where other events hide behind spans', () => {
    fc.assert(
      fc.property(place, (index) => {
        const event = chain[index];
        if (event === undefined) throw new Error('no such event');
        const forged = rehashedFrom(chain.with(index, renamed(event)), index);
        const whole = chain.map((kept, at) => (at === index ? (forged[index] ?? kept) : kept));
        const part = bundleOf(whole, [], { isTaken: ({ seq }) => seq === index + 1 });
        expect(
          kindsOf([...part.slice(0, -1), writeBundleLine({ type: 'checkpoint', note: checkpointOver(chain, COUNT) })]),
        ).toContain('rewrite');
      }),
    );
  });
});

describe('a file that was not taken to its end', () => {
  const file = `${bundle.join('\n')}\n`;

  it('is incomplete wherever it was cut, and never tampered with', patience, () => {
    fc.assert(
      fc.property(fc.nat(file.length - 2), (length) => {
        const lines = file.slice(0, length).split('\n');
        const isWhole = lines.at(-1) === '';
        if (isWhole) lines.pop();
        const report = verify(lines, { checkpoints: [], isWhole });
        const hasEnd = lines.length === bundle.length && lines.at(-1) === bundle.at(-1);
        expect(report.verdict).toBe(hasEnd ? 'intact' : 'incomplete');
      }),
      { numRuns },
    );
  });

  it('is another thing where it never was a bundle, or where the broken line has its line break', () => {
    expect(verify(['%PDF-1.7'], { isWhole: false }).verdict).toBe('tampered');
    expect(verify([...bundle.slice(0, 3), '{"action":'], { isWhole: true }).verdict).toBe('tampered');
  });
});

describe('an event that can’t be read', () => {
  it('is named as the event that it should be, and is the first finding where it is the first bad event', () => {
    const broken = (...seqs: number[]) =>
      verify(bundle.map((line, at) => (seqs.includes(at) ? line.replace('"hash"', '"hush"') : line)));
    expect(broken(5).findings[0]).toEqual({ kind: 'unreadable', seq: 5, line: 6 });
    expect(broken(5, 6, 9).findings.filter(({ kind }) => kind === 'unreadable')).toMatchObject([
      { seq: 5 },
      { seq: 6 },
      { seq: 9 },
    ]);
    expect(broken(COUNT).findings[0]).toEqual({ kind: 'unreadable', seq: COUNT, line: COUNT + 1 });
    expect(broken(5).findings.map(({ kind }) => kind)).not.toContain('gap');
    expect(findingInWords({ kind: 'unreadable', seq: 5, line: 6 })).toBe("Event 5 can't be read");
  });

  it('comes first also where something else was found before it in the file', () => {
    const forged = checkpointOver(chain, 5).replace('signed 2026', 'signed 2025');
    const changed = bundle.map((line, at) => (at === 3 ? line.replace('Priya', 'Ellen') : line));
    expect(verify(changed, { checkpoints: [...kept, forged] }).findings[0]).toMatchObject({ kind: 'digest', seq: 3 });
  });
});

describe('each finding', () => {
  const [header = '', ...rest] = bundle;
  const body = rest.slice(0, -1);

  it('of the file: unreadable, signature, bundle, cut, unsealed', () => {
    expect(kindsOf([])).toEqual(['cut']);

    expect(kindsOf([header, 'nonsense', ...rest])).toEqual(['unreadable', 'bundle']);
    expect(kindsOf([header, ...body])).toEqual(['cut']);
    expect(kindsOf([header, ...body.slice(0, COUNT)], { checkpoints: [] })).toEqual(['unsealed', 'cut']);
    expect(kindsOf(ended([header, ...body.slice(0, -1)]), { checkpoints: [] })).toEqual(['unsealed']);
    expect(
      kindsOf(ended([writeBundleLine(headerOf(COUNT, COUNT, { org: { id: ORG, name: 'Others' } })), ...body])),
    ).toEqual([]);
    expect(kindsOf([writeBundleLine(headerOf(COUNT, COUNT, { org: { id: ORG, name: 'Others' } })), ...rest])).toEqual([
      'bundle',
    ]);
    expect(kindsOf(ended([writeBundleLine(headerOf(COUNT + 1, COUNT)), ...body]))).toEqual(['bundle']);
    expect(kindsOf(bundle, { keys: [FORGER], checkpoints: [] })).toEqual([
      'signature',
      'signature',
      'signature',
      'unsealed',
    ]);
    expect(kindsOf(bundle, { checkpoints: [checkpointOver(chain, 5).replace('signed 2026', 'signed 2025')] })).toEqual([
      'signature',
    ]);
  });

  it('of a checkpoint: the right last event and the wrong root, or another one', () => {
    const [first, second] = chain;
    if (!first || !second) throw new Error('no events');
    const wrongRoot = checkpointOver([second, second], 2);
    expect(kindsOf(bundle, { checkpoints: [wrongRoot] })).toEqual(['root']);
    expect(kindsOf(bundle, { checkpoints: [checkpointOver([second, first], 2)] })).toEqual(['rewrite']);
  });

  it('of a span: out of its place, or not the subtrees that make it up', () => {
    const part = bundleOf(chain, [COUNT], { isTaken: ({ seq }) => seq > 6 });
    const span = readBundleLine(part[1] ?? '') as Extract<BundleLine, { type: 'skipped' }>;
    const having = (change: Partial<typeof span>): string[] =>
      ended(part.slice(0, -1).with(1, writeBundleLine({ ...span, ...change })));
    expect(kindsOf(having({}))).toEqual([]);
    expect(kindsOf(having({ from: 2 }))).toContain('gap');
    expect(kindsOf(having({ nodes: span.nodes.toReversed() }))).toContain('unreadable');
    expect(kindsOf(having({ nodes: [] }))).toContain('unreadable');
  });

  it('of an erased event, unless a later event accounts for it', () => {
    const erase = (event: AuditEvent): AuditEvent => ({ ...event, payload: null, salt: null });
    const last = chain.at(-1);
    const erasure = nextEvent(last, erasureRecord({ actor: SYSTEM_ACTOR }, ORG, [2]), (last?.at ?? 0n) + 1n);
    const erased = [...chain.map((event) => (event.seq === 2 ? erase(event) : event)), erasure];
    expect(kindsOf(bundleOf(erased, [COUNT + 1]))).toEqual([]);
    expect(verify(bundleOf(erased.slice(0, -1), [COUNT])).findings).toEqual([{ kind: 'erased', seq: 2, line: null }]);
  });

  it('is counted where there are too many to list, and any one of them decides the verdict', () => {
    const report = verify([header, ...Array.from({ length: 3 * MOST_FINDINGS }, () => 'nonsense'), ...rest]);
    expect(report).toMatchObject({ verdict: 'tampered', findingsInAll: 3 * MOST_FINDINGS + 1 });
    expect(report.findings).toHaveLength(MOST_FINDINGS);
  });

  it('is a sentence that names the place', () => {
    expect(findingInWords({ kind: 'digest', seq: 7, line: null })).toBe(
      'Event 7 says something else than what was recorded',
    );
    expect(findingInWords({ kind: 'unreadable', seq: null, line: 3 })).toBe("Line 3 can't be read");
    expect(findingInWords({ kind: 'truncation', seq: 9, line: null })).toBe(
      'Events are missing at the end: a checkpoint proves them up to event 9',
    );
    expect(findingInWords({ kind: 'signature', seq: null, line: null })).toBe(
      'The file carries a signature that is not by a known key',
    );
  });
});

describe('a payload', () => {
  it('with line breaks and other scripts stays one line', () => {
    const payload = auditPayload({
      actor: SYSTEM_ACTOR,
      action: 'draft.commented',
      subject: { type: 'version', id: 'v' },
      data: { body: 'a\nb\u2028 世界 "' },
    });
    const [event] = chain;
    if (!event) throw new Error('no event');
    expect(writeBundleLine({ type: 'event', event: { ...event, payload } })).not.toContain('\n');
  });
});
