import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chainOf, isMac, macOf, nextEvent, ORG, someRecords } from './audit.arbitrary.ts';
import { bundleOf, checkpointOver, ended, FORGER, headerOf, KEY } from './bundle.arbitrary.ts';
import { readBundleLine, writeBundleLine, type BundleLine } from './bundle.ts';
import { auditPayload, SYSTEM_ACTOR, type AuditEvent } from './events.ts';
import { findingInWords } from './findings.ts';
import { eventHash } from './hash.ts';
import { MAX_FINDINGS } from './verifier/verify-bundle.ts';
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

describe('an unchanged bundle', () => {
  it('is intact, and its report names the last checkpoint and the proof of origin', () => {
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

  it('is intact if it has only some events, and spans for the others', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: COUNT, maxLength: COUNT }), (taken) => {
        const events = taken.filter(Boolean).length;
        const part = bundleOf(chain, [COUNT], { isTaken: ({ seq }) => taken[seq - 1] === true });
        expect(verify(part)).toMatchObject({ verdict: 'intact', events, skipped: COUNT - events });
      }),
    );
  });

  it('isn’t reported as truncated because of checkpoints that are newer than the export or from another trail', () => {
    const more = chainOf(someRecords(COUNT + 2));
    const later = checkpointOver(more, COUNT + 2, KEY, '2026-11-22T00:00:00.001Z');
    expect(
      verify(bundle, { checkpoints: [...savedCheckpoints, later, later.replace(ORG, ORG.replace('018f', '018e'))] })
        .verdict,
    ).toBe('intact');
  });

  it('reads back as written, line by line', () => {
    for (const text of bundle) {
      const line = readBundleLine(text);
      expect(line && writeBundleLine(line)).toBe(text);
    }
  });
});

describe('an incompletely downloaded file', () => {
  const file = `${bundle.join('\n')}\n`;

  it('is reported as incomplete, never as tampered with, wherever it was cut', patience, () => {
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

  it('is reported as tampered with if it isn’t a bundle, or its broken line has a line break', () => {
    expect(verify(['%PDF-1.7'], { isWhole: false }).verdict).toBe('tampered');
    expect(verify([...bundle.slice(0, 3), '{"action":'], { isWhole: true }).verdict).toBe('tampered');
  });
});

describe('a bad event', () => {
  it('is reported with its number even if unreadable, and first if no earlier event is bad', () => {
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

  it('is reported before a finding about the file', () => {
    const forged = checkpointOver(chain, 5).replace('signed 2026', 'signed 2025');
    const changed = bundle.map((line, at) => (at === 3 ? line.replace('Priya', 'Ellen') : line));
    expect(verify(changed, { checkpoints: [...savedCheckpoints, forged] }).findings[0]).toMatchObject({
      kind: 'digest',
      seq: 3,
    });
  });
});

describe('verifyBundle', () => {
  const [header = '', ...rest] = bundle;
  const body = rest.slice(0, -1);

  it('reports problems with the file: unreadable, signature, bundle, cut, unsealed', () => {
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

  it('reports a checkpoint with a wrong root, or with a different last event', () => {
    const [first, second] = chain;
    if (!first || !second) throw new Error('no events');
    const wrongRoot = checkpointOver([second, second], 2);
    expect(kindsOf(bundle, { checkpoints: [wrongRoot] })).toEqual(['root']);
    expect(kindsOf(bundle, { checkpoints: [checkpointOver([second, first], 2)] })).toEqual(['rewrite']);
  });

  it('reports a span that is out of place or has the wrong subtrees', () => {
    const part = bundleOf(chain, [COUNT], { isTaken: ({ seq }) => seq > 6 });
    const span = readBundleLine(part[1] ?? '') as Extract<BundleLine, { type: 'skipped' }>;
    const having = (change: Partial<typeof span>): string[] =>
      ended(part.slice(0, -1).with(1, writeBundleLine({ ...span, ...change })));
    expect(kindsOf(having({}))).toEqual([]);
    expect(kindsOf(having({ from: 2 }))).toContain('gap');
    expect(kindsOf(having({ nodes: span.nodes.toReversed() }))).toContain('unreadable');
    expect(kindsOf(having({ nodes: [] }))).toContain('unreadable');
  });

  it('reports an event without content', () => {
    const erased = chain.map((event) => (event.seq === 2 ? { ...event, payload: null, salt: null } : event));
    expect(verify(bundleOf(erased, [COUNT])).findings).toEqual([{ kind: 'erased', seq: 2, line: null }]);
  });

  it('reports a wrong or repeated MAC if the key is given', () => {
    const made = chain.map((event) => ({ ...event, mac: event.seq > 2 ? macOf(event) : null }));
    const withMacs = (events: readonly AuditEvent[], header = {}) =>
      bundleOf(events, [COUNT], { header: { withoutMac: 2, ...header } });
    const forged = made.map((event) => (event.seq === 4 ? { ...event, mac: macOf(event, 'another key') } : event));
    expect(verify(withMacs(made), { isMac })).toMatchObject({ findings: [], macs: 'checked' });
    expect(verify(withMacs(forged), { isMac }).findings).toEqual([{ kind: 'mac', seq: 4, line: null }]);
    expect(verify(withMacs(forged))).toMatchObject({ findings: [], macs: 'unchecked' });
    const [record] = someRecords(6).slice(5);
    if (!record) throw new Error('no record');
    const again = nextEvent(made.at(-1), record, (made.at(-1)?.at ?? 0n) + 1n);
    const [sixth] = made.slice(5);
    const repeat = {
      ...again,
      salt: sixth?.salt ?? null,
      digest: sixth?.digest ?? again.digest,
      mac: sixth?.mac ?? null,
    };
    const repeated = [...made, { ...repeat, hash: eventHash(repeat) }];
    expect(verify(bundleOf(repeated, [COUNT + 1], { header: { withoutMac: 2 } }), { isMac }).findings).toEqual([
      { kind: 'repeated', seq: COUNT + 1, line: null },
    ]);
    const { withoutMac: _1, verified: _2, finding: _3, ...first } = headerOf(COUNT, COUNT, { version: 1 });
    const old = ended([first, ...chain.map((event) => ({ type: 'event', event }) as const)].map(writeBundleLine));
    expect(verify(old, { isMac })).toMatchObject({ macs: 'none' });
    expect(kindsOf(old)).toEqual([]);
  });

  it('returns findings up to the limit and only counts the others', () => {
    const report = verify([header, ...Array.from({ length: 3 * MAX_FINDINGS }, () => 'nonsense'), ...rest]);
    expect(report).toMatchObject({ verdict: 'tampered', findingsInAll: 3 * MAX_FINDINGS + 1 });
    expect(report.findings).toHaveLength(MAX_FINDINGS);
  });

  it('describes findings with sentences that name the place', () => {
    expect(findingInWords({ kind: 'digest', seq: 7, line: null })).toBe('Event 7 differs from what was recorded');
    expect(findingInWords({ kind: 'unreadable', seq: null, line: 3 })).toBe("Line 3 can't be read");
    expect(findingInWords({ kind: 'truncation', seq: 9, line: null })).toBe(
      'Events are missing at the end: a checkpoint proves that they existed up to event 9',
    );
    expect(findingInWords({ kind: 'signature', seq: null, line: null })).toBe(
      'The file has no valid signature by a known key',
    );
  });
});

describe('a payload', () => {
  it('stays on one line even if its text has line breaks and non-Latin characters', () => {
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
