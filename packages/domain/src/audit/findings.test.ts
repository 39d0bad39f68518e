import { describe, expect, it } from 'vitest';
import { type Finding, type FindingKind, findingInWords, inOrder, verdictOf } from './findings.ts';

const SENTENCES: Readonly<Record<FindingKind, string>> = {
  organization: 'Event 7 is of another organization',
  gap: 'Event 7 is missing or not in its place',
  order: 'Event 7 is earlier than the event before it',
  link: 'Event 7 does not follow from the event before it',
  hash: 'Event 7 is not what its hash was made of',
  digest: 'Event 7 says something else than what was recorded',
  form: 'Event 7 is not in the form in which events are recorded',
  derived: 'Event 7 is filed under something else than it says',
  erased: 'Event 7 lost its content, and no later event says that it was erased',
  unreadable: "Event 7 can't be read",
  rewrite: 'The events up to event 7 are not those that were sealed',
  root: 'The checkpoint of event 7 has the wrong root',
  signature: 'Event 7 carries a signature that is not by a known key',
  bundle: 'The file is not as it was exported',
  truncation: 'Events are missing at the end: a checkpoint proves them up to event 7',
  cut: 'The file is cut off: its signed end is missing',
  unsealed: 'No checkpoint covers the events from event 7 on',
  foreign: 'None of the checkpoints is of this organization: nothing shows whose trail this is',
};
const KINDS = Object.keys(SENTENCES) as FindingKind[];
const INCOMPLETE: readonly FindingKind[] = ['truncation', 'cut', 'unsealed', 'foreign'];

const finding = (kind: FindingKind, seq: number | null = 7): Finding => ({ kind, seq, line: null });

describe('a finding in words', () => {
  it.each(Object.entries(SENTENCES))('of %s', (kind, sentence) => {
    expect(findingInWords(finding(kind as FindingKind))).toBe(sentence);
  });

  it('names the event before the line, and the file where neither is known', () => {
    expect(findingInWords({ kind: 'signature', seq: 7, line: 9 })).toMatch(/^Event 7 /);
    expect(findingInWords({ kind: 'signature', seq: null, line: 9 })).toMatch(/^Line 9 /);
    expect(findingInWords({ kind: 'signature', seq: null, line: null })).toMatch(/^The file /);
  });
});

describe('what findings come to', () => {
  it('is intact without any', () => {
    expect(verdictOf([])).toBe('intact');
  });

  it.each(KINDS)('alone and beside another: %s', (kind) => {
    const isMissing = INCOMPLETE.includes(kind);
    expect(verdictOf([finding(kind)])).toBe(isMissing ? 'incomplete' : 'tampered');
    expect(verdictOf([finding('cut'), finding(kind)])).toBe(isMissing ? 'incomplete' : 'tampered');
    expect(verdictOf([finding(kind), finding('hash')])).toBe('tampered');
  });
});

describe('the order of findings', () => {
  it('is by the event, what was tampered with before what is missing, and none before its time', () => {
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
