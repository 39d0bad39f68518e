import { describe, expect, it } from 'vitest';
import { chainOf, ORG, OTHER_ORG, someRecords } from '../audit.arbitrary.ts';
import { bundleOf, checkpointOver, ended, EXPORTED_AT, FORGER, headerOf, KEY } from '../bundle.arbitrary.ts';
import { type BundleHeader, endText, writeBundleLine } from '../bundle.ts';
import { originOf } from '../checkpoint.ts';
import type { Finding } from '../findings.ts';
import { signNote, writeNoteKey } from '../note.ts';
import { keyNamed, signerOf, verifySignature } from '../signing.arbitrary.ts';
import { type BundleInput, MAX_FINDINGS, verifyBundle } from './verify-bundle.ts';

const COUNT = 6;
const chain = chainOf(someRecords(COUNT));
const bundle = bundleOf(chain, [COUNT]);
const [header = '', ...rest] = bundle;
const events = rest.slice(0, COUNT);
const [checkpoint = '', end = ''] = rest.slice(COUNT);

const verify = (lines: readonly string[], input: Partial<BundleInput> = {}) =>
  verifyBundle({ lines, keys: [KEY], verifySignature, ...input });
/** Returns each finding with its event and line. */
const found = (lines: readonly string[], input: Partial<BundleInput> = {}) =>
  verify(lines, input).findings.map(({ kind, seq, line }: Finding) => [kind, seq, line]);
const headed = (change: Partial<BundleHeader>): string[] => [
  writeBundleLine({ ...headerOf(COUNT, COUNT), ...change }),
  ...events,
  checkpoint,
];

describe('a line’s place in a bundle', () => {
  it('is wrong unless it follows this order: header, events and spans, checkpoints, end', () => {
    expect(found(bundle)).toEqual([]);
    expect(found(ended([header, header, ...events, checkpoint]))).toEqual([['bundle', null, 2]]);
    expect(found(ended([header, ...events, checkpoint, header]))).toEqual([['bundle', null, COUNT + 3]]);
    expect(found(ended([header, ...events.slice(0, -1), checkpoint, events.at(-1) ?? '']))).toEqual([
      ['bundle', null, COUNT + 2],
    ]);
    expect(found([...bundle, checkpoint])).toEqual([
      ['bundle', null, bundle.length + 1],
      ['cut', null, null],
    ]);
    expect(found([...bundle, end])).toEqual([
      ['bundle', null, bundle.length + 1],
      ['bundle', null, null],
    ]);
    expect(found([...bundle, ''])).toEqual([['unreadable', null, bundle.length + 1]]);
  });

  it('is among the events if the line is a span', () => {
    const span = writeBundleLine({ type: 'skipped', from: COUNT + 1, to: COUNT, nodes: [] });
    expect(found(ended([header, ...events, span, checkpoint]))).toEqual([]);
    expect(found(ended([header, ...events, checkpoint, span]))).toEqual([['bundle', null, COUNT + 3]]);
  });

  it('can’t be before the header', () => {
    const orphans = [...events, checkpoint];
    expect(found(orphans)).toContainEqual(['bundle', null, 1]);
    expect(found(orphans)).not.toContainEqual(['bundle', null, 2]);
    expect(found([checkpoint])).toContainEqual(['bundle', null, 1]);
    expect(found([end])).toContainEqual(['bundle', null, 1]);
    expect(verify(orphans)).toMatchObject({ header: null, verdict: 'tampered', events: COUNT });
    expect(found(['nonsense', ...bundle])).toContainEqual(['unreadable', null, 1]);
    expect(verify(['nonsense', ...bundle]).header).toBeNull();
  });
});

describe('a line that can’t be read', () => {
  it('is reported by its event number if it is among the events, otherwise by its line number', () => {
    expect(found([header, ...events.with(2, '?'), checkpoint, end])[0]).toEqual(['unreadable', 3, 4]);
    expect(found([header, ...events, '?', checkpoint, end])).toContainEqual(['unreadable', null, COUNT + 2]);
    expect(found([header, ...events, checkpoint, '?', end])).toContainEqual(['unreadable', null, COUNT + 3]);
    expect(found([header, ...events.slice(0, -1), checkpoint, '?', end])).toContainEqual([
      'unreadable',
      null,
      COUNT + 2,
    ]);
    expect(found(['?'])).toContainEqual(['unreadable', null, 1]);
  });

  it('is ignored if it is the last line of a file that was cut off', () => {
    const broken = { isWhole: () => false };
    expect(verify([header, ...events, checkpoint, '{"no'], broken)).toMatchObject({
      verdict: 'incomplete',
      findings: [{ kind: 'cut' }],
    });
    expect(found([header, ...events.slice(0, 2), '{"act'], broken).map(([kind]) => kind)).toEqual(['unsealed', 'cut']);
    expect(found([header.slice(0, 30)], broken)).toEqual([['cut', null, null]]);
    expect(found(['{"ev'], broken)).toEqual([['cut', null, null]]);
    expect(found([''], broken)).toEqual([['cut', null, null]]);
  });

  it('is reported if it has a line break, follows the end, or couldn’t begin a bundle line', () => {
    const broken = { isWhole: () => false };
    const cut = [header, ...events, checkpoint, '{"no'];
    expect(found(cut, { isWhole: () => true })).toContainEqual(['unreadable', null, COUNT + 3]);
    expect(found(cut)).toContainEqual(['unreadable', null, COUNT + 3]);
    expect(found([...bundle, '{"no'], broken)).toEqual([['unreadable', null, bundle.length + 1]]);
    expect(found(['{"events";'], broken)).toContainEqual(['unreadable', null, 1]);
    expect(found(['PK'], broken)).toContainEqual(['unreadable', null, 1]);
    expect(found([header, '?', ...events, checkpoint], broken)).toContainEqual(['unreadable', null, 2]);
  });
});

describe('the end of a bundle', () => {
  const lines = [header, ...events, checkpoint];
  const endWith = (note: string): string => writeBundleLine({ type: 'end', note });

  it('must be signed by a known key', () => {
    expect(found(ended(lines, FORGER))).toEqual([['signature', null, bundle.length]]);
    expect(found(ended(lines, keyNamed('other')))).toEqual([['signature', null, bundle.length]]);
    expect(found([...lines, endWith('')])).toEqual([['signature', null, bundle.length]]);
  });

  it('must match the lines before it', () => {
    const forgedEnd = signNote('stet export of nobody\n', KEY, signerOf(KEY.publicKey));
    expect(found([...lines, endWith(forgedEnd)])).toEqual([['bundle', null, null]]);
    expect(found([...lines.slice(0, -1), end])).toContainEqual(['bundle', null, null]);
    expect(found(ended(lines, KEY, OTHER_ORG))).toEqual([['bundle', null, null]]);
    const ofNobody = signNote(
      endText({ orgId: '', lines: 0, digest: new Uint8Array(32) }),
      KEY,
      signerOf(KEY.publicKey),
    );
    expect(found([endWith(ofNobody)])).toContainEqual(['bundle', null, null]);
  });

  it('must match the number of events and the last event in the header', () => {
    expect(found(ended(headed({ events: COUNT - 1 })))).toEqual([['bundle', null, null]]);
    expect(found(ended(headed({ last: COUNT - 1 })))).toEqual([['bundle', null, null]]);
    expect(found(ended(headed({ last: COUNT + 1 })))).toEqual([['bundle', null, null]]);
    expect(found(headed({ events: COUNT - 1 }))).toEqual([['cut', null, null]]);
  });
});

describe('saved checkpoints', () => {
  const more = chainOf(someRecords(COUNT + 1));
  const larger = (at: string): string => checkpointOver(more, COUNT + 1, KEY, at);

  it('that aren’t newer than the export prove that events are missing', () => {
    const missing = ['truncation', COUNT + 1, null];
    expect(found(bundle, { checkpoints: [larger('2026-11-21T23:59:59.999Z')] })).toEqual([missing]);
    expect(found(bundle, { checkpoints: [larger(EXPORTED_AT)] })).toEqual([missing]);
    expect(found(bundle, { checkpoints: [larger('2026-11-22T00:00:00.001Z')] })).toEqual([]);
    expect(found(bundle, { checkpoints: [checkpointOver(chain, COUNT, KEY, EXPORTED_AT)] })).toEqual([]);
  });

  it('don’t report missing events if the bundle was limited to an earlier day', () => {
    const range = { from: null, to: EXPORTED_AT, runId: null };
    expect(found(ended(headed({ range })), { checkpoints: [larger(EXPORTED_AT)] })).toEqual([]);
    const ofRun = { from: EXPORTED_AT, to: null, runId: 'r' };
    expect(found(ended(headed({ range: ofRun })), { checkpoints: [larger(EXPORTED_AT)] })).toHaveLength(1);
  });

  it('are checked in order of size, in whatever order they are given', () => {
    const checkpoints = [4, 2, 3].map((size) => checkpointOver(chain, size));
    expect(found(bundle, { checkpoints })).toEqual([]);
    expect(verify(bundle, { checkpoints, keys: [] })).toMatchObject({ trust: 'checkpoints', sealed: { size: COUNT } });
  });

  it('are ignored if they belong to another trail; if none belongs to this trail, that is reported', () => {
    const foreign = checkpointOver(chain, 2, keyNamed(originOf(OTHER_ORG)), EXPORTED_AT, OTHER_ORG);
    expect(found(bundle, { checkpoints: [foreign] })).toEqual([['foreign', null, null]]);
    expect(found(bundle, { checkpoints: [foreign, checkpointOver(chain, 2)] })).toEqual([]);
    expect(found(bundle, { checkpoints: [] })).toEqual([]);
    expect(verify(bundle, { checkpoints: [foreign], keys: [] })).toMatchObject({
      verdict: 'incomplete',
      trust: 'none',
    });
    expect(found([], { checkpoints: [foreign] })).toEqual([['cut', null, null]]);
  });

  it('prove the origin only if their signature and content are right', () => {
    const forged = checkpointOver(chain, 2, FORGER);
    expect(found(bundle, { checkpoints: [forged] })).toEqual([['signature', null, null]]);
    const other = signNote(`stet/${ORG}\nno checkpoint\n`, KEY, signerOf(KEY.publicKey));
    expect(found(bundle, { checkpoints: [other] })).toEqual([['signature', null, null]]);
    const wrong = checkpointOver([...chain.slice(0, 1), ...chain.slice(2)], 2);
    expect(verify(bundle, { checkpoints: [wrong], keys: [] })).toMatchObject({ verdict: 'tampered', trust: 'none' });
  });

  it('don’t prevent wrong checkpoints in the bundle from being reported with their line', () => {
    const line = (note: string): string => writeBundleLine({ type: 'checkpoint', note });
    const foreign = checkpointOver(chain, 2, KEY, EXPORTED_AT, OTHER_ORG);
    for (const note of [checkpointOver(chain, 2, FORGER), foreign, ''])
      expect(found(ended([header, ...events, line(note), checkpoint]))).toEqual([['signature', null, COUNT + 2]]);
    expect(verify(bundle, { keys: [], checkpoints: [checkpointOver(chain, 2)] }).trust).toBe('checkpoints');
    expect(verify(bundle, { keys: [] }).trust).toBe('none');
  });

  it('are not confused with events about checkpoints', () => {
    const speaking = chainOf([...someRecords(1), ...someRecords(2)]).map((event) => ({
      ...event,
      runId: '"checkpoint"',
    }));
    expect(found(bundleOf(speaking, [])).map(([kind]) => kind)).not.toContain('signature');
  });
});

describe('the bundle’s own key', () => {
  it('is used if no other key is given', () => {
    expect(verify(bundle, { keys: [] })).toMatchObject({ verdict: 'intact', trust: 'none' });
    expect(verify(bundle)).toMatchObject({ verdict: 'intact', trust: 'key' });
    expect(found(ended(headed({ key: writeNoteKey(FORGER) })))).toEqual([]);
    expect(found(ended(headed({ key: 'none' })), { keys: [] }).map(([kind]) => kind)).toEqual([
      'signature',
      'signature',
      'unsealed',
    ]);
  });
});

describe('findings beyond the limit', () => {
  const lines = (count: number): string[] => Array.from({ length: count }, () => '?');

  it('are only counted, before and after the bundle', () => {
    const before = verify([...lines(2 * MAX_FINDINGS), ...bundle]);
    expect(before.findings).toHaveLength(MAX_FINDINGS);
    expect(before.findingsInAll).toBeGreaterThanOrEqual(2 * MAX_FINDINGS);
    expect(verify([...bundle, ...lines(MAX_FINDINGS)]).findingsInAll).toBe(MAX_FINDINGS);
    expect(verify([...bundle, ...lines(MAX_FINDINGS)]).findings).toHaveLength(MAX_FINDINGS);
  });

  it('neither hide the first bad event nor change the verdict', () => {
    const changed = bundle.with(3, (bundle[3] ?? '').replace('Priya', 'Ellen'));
    expect(verify([...changed, ...lines(2 * MAX_FINDINGS)]).findings[0]).toMatchObject({ kind: 'digest', seq: 3 });
    const forged = Array<string>(2 * MAX_FINDINGS).fill(writeBundleLine({ type: 'checkpoint', note: '' }));
    expect(verify([...changed, ...forged]).findings[0]).toMatchObject({ kind: 'digest', seq: 3 });
    const erased = chainOf(someRecords(MAX_FINDINGS + 5)).map((event) => ({ ...event, payload: null, salt: null }));
    const report = verify([...bundleOf(erased, []).slice(0, -1), '?']);
    expect(report).toMatchObject({ verdict: 'tampered', findingsInAll: erased.length + 3 });
  });
});
