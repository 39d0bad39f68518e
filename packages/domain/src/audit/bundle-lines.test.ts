import { bytesToHex } from '@noble/hashes/utils';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../workflows/canonical-json.ts';
import { chainOf, ORG, someRecords } from './audit.arbitrary.ts';
import { headerOf } from './bundle.arbitrary.ts';
import { endText, readBundleLine, writeBundleLine } from './bundle.ts';
import { lineOfText } from './verifier/lines.ts';
import { isEndOf } from './verifier/notes.ts';

type Fields = Record<string, unknown>;
const [event] = chainOf(someRecords(1));
if (!event) throw new Error('no event');

const LINES: Readonly<Record<'header' | 'event' | 'skipped' | 'checkpoint' | 'end', Fields>> = {
  header: JSON.parse(writeBundleLine(headerOf(3, 4))) as Fields,
  event: JSON.parse(writeBundleLine({ type: 'event', event })) as Fields,
  skipped: JSON.parse(
    writeBundleLine({
      type: 'skipped',
      from: 1,
      to: 3,
      nodes: [
        { level: 1, hash: event.hash },
        { level: 0, hash: event.digest },
      ],
    }),
  ) as Fields,
  checkpoint: { type: 'checkpoint', note: 'n' },
  end: { type: 'end', note: 'n' },
};
type LineType = keyof typeof LINES;
const { org, range, exportedBy } = LINES.header as Record<'org' | 'range' | 'exportedBy', Fields>;

/** Reads a changed line with both readers, which share no code. */
const read = (type: LineType, change: Fields) => {
  const text = canonicalJson({ ...LINES[type], ...change });
  const line = readBundleLine(text);
  expect(lineOfText(text)).toEqual(line);
  return line && writeBundleLine(line) === text ? line : null;
};
const notA = (sort: 'text' | 'text or null' | 'count'): unknown[] =>
  sort === 'text' ? [null, 1, {}, undefined] : sort === 'count' ? [null, '1', -1, 1.5, 2 ** 53, undefined] : [1, {}];

describe('a bundle line', () => {
  it.each(Object.keys(LINES) as LineType[])('of type %s reads back as written', (type) => {
    expect(read(type, {})).toMatchObject({ type });
  });

  it('can be read whether its optional parts are given, empty or null', () => {
    expect(read('header', { range: { from: 'a', to: 'b', runId: 'c' }, events: 0, last: 0 })).toMatchObject({
      range: { from: 'a', to: 'b', runId: 'c' },
      events: 0,
      last: 0,
    });
    expect(read('event', { payload: null, salt: null, runId: null, seq: 0 })).toMatchObject({
      event: { payload: null, salt: null, runId: null, seq: 0 },
    });
    expect(read('event', { runId: 'r', salt: '' })).toMatchObject({ event: { runId: 'r', salt: new Uint8Array() } });
    expect(read('skipped', { nodes: [], from: 0, to: 0 })).toMatchObject({ nodes: [], from: 0, to: 0 });
  });

  it('is read as the object that was written, and lists hashes of skipped events with their level in the tree', () => {
    expect(read('header', {})).toEqual(headerOf(3, 4));
    expect(read('event', {})).toEqual({ type: 'event', event });
    expect(LINES.skipped['nodes']).toEqual([
      [1, bytesToHex(event.hash)],
      [0, bytesToHex(event.digest)],
    ]);
  });
});

describe('a wrong bundle line', () => {
  const places: [LineType, string, unknown[]][] = [
    ['header', 'version', [0, 1, 3, '2', null]],
    ['header', 'withoutMac', notA('count')],
    [
      'header',
      'verified',
      [undefined, 'x', {}, { at: 1, size: 1 }, { at: 'x', size: -1 }, { at: 'x', size: 1, more: 1 }],
    ],
    [
      'header',
      'finding',
      [undefined, 'x', {}, { problem: 1, seq: 1 }, { problem: 'x', seq: -1 }, { problem: 'x', seq: 1, more: 1 }],
    ],
    ...['exportedAt', 'key'].map((name): [LineType, string, unknown[]] => ['header', name, notA('text')]),
    ...['events', 'last'].map((name): [LineType, string, unknown[]] => ['header', name, notA('count')]),
    ...['org', 'range', 'exportedBy'].map((name): [LineType, string, unknown[]] => ['header', name, [null, 'x', []]]),
    [
      'header',
      'org',
      [
        ...notA('text').flatMap((put) => [
          { ...org, id: put },
          { ...org, name: put },
        ]),
        { ...org, more: 1 },
      ],
    ],
    [
      'header',
      'range',
      [
        ...notA('text or null').flatMap((put) => ['from', 'to', 'runId'].map((name) => ({ ...range, [name]: put }))),
        { ...range, more: 1 },
      ],
    ],
    [
      'header',
      'exportedBy',
      [
        ...notA('text').flatMap((put) => ['id', 'name', 'email'].map((name) => ({ ...exportedBy, [name]: put }))),
        { ...exportedBy, more: 1 },
      ],
    ],
    ...['orgId', 'actor', 'action', 'subjectType', 'subjectId'].map((name): [LineType, string, unknown[]] => [
      'event',
      name,
      notA('text'),
    ]),
    ...['runId', 'payload'].map((name): [LineType, string, unknown[]] => ['event', name, notA('text or null')]),
    ['event', 'seq', notA('count')],
    ['event', 'salt', [1, 'a', 'AB', 'zz', undefined]],
    ...['digest', 'prev', 'hash'].map((name): [LineType, string, unknown[]] => [
      'event',
      name,
      [null, 1, 'a', 'AB', 'zz', ' ab', 'ab\n', undefined],
    ]),
    [
      'event',
      'at',
      [
        null,
        1_795_228_967,
        '',
        '2026-11-21T02:42:47.123Z',
        '2026-11-21T02:42:47.1234567Z',
        '2026-11-21T02:42:47.123456',
        '2026-11-21T02:42:47,123456Z',
        '2026-11-21 02:42:47.123456Z',
        '2026-02-30T02:42:47.123456Z',
        '2026-13-01T02:42:47.123456Z',
        '2026-11-21T24:00:00.000000Z',
        '12026-11-21T02:42:47.123456Z',
        '2026-11-21T02:42:47.123456Z\n',
        'on 2026-11-21T02:42:47.123456Z',
      ],
    ],
    ...['from', 'to'].map((name): [LineType, string, unknown[]] => ['skipped', name, notA('count')]),
    [
      'skipped',
      'nodes',
      [
        null,
        {},
        'nodes',
        [null],
        [[]],
        [[0]],
        [['0', '00']],
        [[-1, '00']],
        [[0, 'zz']],
        [[0, null]],
        [[0, '00', 1]],
        [[0, '00'], 7],
      ],
    ],
    ...(['checkpoint', 'end'] as const).map((type): [LineType, string, unknown[]] => [type, 'note', notA('text')]),
    ...(Object.keys(LINES) as LineType[]).map((type): [LineType, string, unknown[]] => [type, 'more', [1, null, '']]),
    ...(Object.keys(LINES) as LineType[]).map((type): [LineType, string, unknown[]] => [
      type,
      'type',
      ['', 'other', null, undefined],
    ]),
  ];

  it.each(places)('is refused if a line of type %s has the wrong value in its field %s', (type, name, others) => {
    for (const other of others) expect(read(type, { [name]: other }), JSON.stringify(other)).toBeNull();
  });

  it.each([
    '',
    'null',
    '1',
    '"text"',
    '[]',
    '[{}]',
    '{}',
    '{',
    '{"note":"n", "type":"end"}',
    '{"type":"end","note":"n"}',
  ])('is refused if it is %s', (text) => {
    expect(readBundleLine(text)).toBeNull();
    expect(lineOfText(text)).toBeNull();
  });
});

describe('the signed text of the end line', () => {
  const bundleEnd = { orgId: ORG, lines: 12, digest: event.hash };

  it('contains the organization, the number of lines and their digest, one per line', () => {
    expect(endText({ ...bundleEnd, digest: new Uint8Array(3) })).toBe(`stet export of ${ORG}\n12 lines\nAAAA\n`);
    expect(isEndOf(endText(bundleEnd), bundleEnd)).toBe(true);
  });

  it('doesn’t match a different file', () => {
    const text = endText(bundleEnd);
    expect(isEndOf(text, { ...bundleEnd, orgId: 'other' })).toBe(false);
    expect(isEndOf(text, { ...bundleEnd, lines: 13 })).toBe(false);
    expect(isEndOf(text, { ...bundleEnd, digest: event.digest })).toBe(false);
    for (const other of ['', text.slice(0, -1), `${text}\n`, `${text}more`, text.replace('\n12', '\n\n12'), ` ${text}`])
      expect(isEndOf(other, bundleEnd)).toBe(false);
    expect(isEndOf(text.replace(/\n[^\n]+\n$/, '\n?\n'), bundleEnd)).toBe(false);
  });
});
