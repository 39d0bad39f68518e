import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chainOf, nextEvent, ORG, someRecords } from './audit.arbitrary.ts';
import { bundleOf, checkpointOver, ended, FORGER, headerOf, KEY } from './bundle.arbitrary.ts';
import { readBundleLine, writeBundleLine, type BundleLine } from './bundle.ts';
import { auditPayload, erasureRecord, SYSTEM_ACTOR, type AuditEvent } from './events.ts';
import { findingInWords } from './findings.ts';
import { MOST_FINDINGS } from './verifier/verify-bundle.ts';
import { COUNT, bundle, chain, kept, kindsOf, numRuns, patience, verify } from './exported-bundle.arbitrary.ts';

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
