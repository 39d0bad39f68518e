import { describe, expect, it } from 'vitest';
import { type Finding, type FindingKind, findingInWords, inOrder, verdictOf } from './findings.ts';

const SENTENCES: Readonly<Record<FindingKind, string>> = {
  organization: 'Event 7 belongs to another organization',
  gap: 'Event 7 is missing or out of place',
  order: 'Event 7 is earlier than the event before it',
  link: 'Event 7 does not contain the hash of the event before it',
  hash: 'Event 7 does not match its hash',
  digest: 'Event 7 differs from what was recorded',
  form: 'Event 7 is not in the format of a recorded event',
  derived: 'Event 7 is indexed under values that differ from its content',
  erased: 'Event 7 has lost its content or claims that other events may lose theirs, but content is never erased',
  mac: 'Event 7 was not appended by a server of this installation: its MAC is missing or wrong',
  unreadable: "Event 7 can't be read",
  rewrite: 'The events up to event 7 differ from the sealed ones',
  root: 'The checkpoint at event 7 has the wrong root',
  signature: 'Event 7 has no valid signature by a known key',
  bundle: 'The file was changed after the export',
  truncation: 'Events are missing at the end: a checkpoint proves that they existed up to event 7',
  cut: 'The file is cut off: its signed end is missing',
  unsealed: 'No checkpoint covers event 7 or the events after it',
  repeated: 'Event 7 repeats an earlier event: it has the same MAC',
  row: 'A stored row does not match its events',
  foreign: 'None of the checkpoints belongs to this organization, so nothing proves whose trail this is',
};
const KINDS = Object.keys(SENTENCES) as FindingKind[];
const INCOMPLETE: readonly FindingKind[] = ['truncation', 'cut', 'unsealed', 'foreign'];

const finding = (kind: FindingKind, seq: number | null = 7): Finding => ({ kind, seq, line: null });

describe('a finding in words', () => {
  it.each(Object.entries(SENTENCES))('is worded for the kind %s as "%s"', (kind, sentence) => {
    expect(findingInWords(finding(kind as FindingKind))).toBe(sentence);
  });

  it('names the event, or the line if the event is unknown, or the file if both are unknown', () => {
    expect(findingInWords({ kind: 'signature', seq: 7, line: 9 })).toMatch(/^Event 7 /);
    expect(findingInWords({ kind: 'signature', seq: null, line: 9 })).toMatch(/^Line 9 /);
    expect(findingInWords({ kind: 'signature', seq: null, line: null })).toMatch(/^The file /);
  });
});

describe('a verdict', () => {
  it('is intact without findings', () => {
    expect(verdictOf([])).toBe('intact');
  });

  it.each(KINDS)('is determined by the most serious finding, regardless of order (%s)', (kind) => {
    const isMissing = INCOMPLETE.includes(kind);
    expect(verdictOf([finding(kind)])).toBe(isMissing ? 'incomplete' : 'tampered');
    expect(verdictOf([finding('cut'), finding(kind)])).toBe(isMissing ? 'incomplete' : 'tampered');
    expect(verdictOf([finding(kind), finding('hash')])).toBe('tampered');
  });
});

describe('the order of findings', () => {
  it('puts tampering before missing events, then sorts by event, with findings without an event last', () => {
    const found = [
      finding('cut', null),
      finding('bundle', null),
      finding('unsealed', 3),
      finding('hash', 12),
      finding('signature', null),
      finding('truncation', 2),
      finding('link', 9),
    ];
    expect(inOrder(found).map(({ kind }) => kind)).toEqual([
      'link',
      'hash',
      'bundle',
      'signature',
      'truncation',
      'unsealed',
      'cut',
    ]);
    expect(found[0]?.kind).toBe('cut');
  });
});
