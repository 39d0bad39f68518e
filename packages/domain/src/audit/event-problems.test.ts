import { sha256 } from '@noble/hashes/sha2';
import { concatBytes, hexToBytes } from '@noble/hashes/utils';
import { describe, expect, it } from 'vitest';
import { chainOf, ORG, someRecords } from './audit.arbitrary.ts';
import { type Before, type ChainProblem, chainProblem, erasedBy, payloadProblem } from './event-problems.ts';
import { type AuditEvent, AUDIT_SUBJECTS, derivedColumns, erasureRecord, SYSTEM_ACTOR } from './events.ts';
import { eventHash, payloadDigest } from './hash.ts';
import { erasuresIn, problemOf } from './verifier/events.ts';

const [first, second] = chainOf(someRecords(2));
if (!first || !second) throw new Error('no events');

const rehashed = (event: AuditEvent): AuditEvent => ({ ...event, hash: eventHash(event) });
/** The second event, saying something else, with a digest and a hash that fit. */
const saying = (payload: string, columns: Partial<AuditEvent> = {}): AuditEvent => {
  const salt = second.salt ?? new Uint8Array(16);
  return rehashed({ ...second, ...columns, payload, digest: payloadDigest(salt, payload) });
};

describe('what is wrong with an event', () => {
  const wrong: [string, AuditEvent, ChainProblem | null, Before?][] = [
    ['nothing', second, null],
    ['nothing behind an event whose hash is not known', second, null, { ...first, hash: null }],
    ['nothing at the very moment of the one before', second, null, { ...first, at: second.at }],
    ['another organization before anything else', { ...second, orgId: 'other', seq: 9 }, 'organization'],
    ['a number too high, before an early moment', { ...second, seq: 3, at: 0n }, 'gap'],
    ['a number that was there before', { ...second, seq: 1 }, 'gap'],
    ['a moment before that of the event before it', { ...second, at: first.at - 1n }, 'order'],
    ['another event before it', second, 'link', { ...first, hash: new Uint8Array(32) }],
    ['the beginning of the hash before it', { ...second, prev: second.prev.subarray(0, 31) }, 'link'],
    ['a digest that is none', { ...second, digest: new Uint8Array(31) }, 'digest'],
    ['a moment that no hash covers', { ...second, at: 2n ** 63n }, 'hash'],
    ['a hash that is longer', { ...second, hash: new Uint8Array([...second.hash, 0]) }, 'hash'],
    ['content without salt', { ...second, salt: null }, 'erased'],
    ['salt without content', { ...second, payload: null }, 'erased'],
    ['nothing where both were erased', { ...second, payload: null, salt: null }, null],
    ['other content', { ...second, payload: '{}' }, 'digest'],
    ['another salt', { ...second, salt: new Uint8Array(16) }, 'digest'],
    ['content that is no JSON', saying('{'), 'form'],
    ['content that is null', saying('null'), 'form'],
    ['content that is a text', saying('"text"'), 'form'],
    ['a record without actor', saying('{"subject":{"id":"s","type":"run"}}'), 'form'],
    ['a record without subject', saying('{"actor":{"id":"a"}}'), 'form'],
    ['a record whose actor is null', saying('{"actor":null,"subject":{"id":"s","type":"run"}}'), 'form'],
    ['a record whose actor is a text', saying('{"actor":"a","subject":{"id":"s","type":"run"}}'), 'form'],
    ['a record whose subject is null', saying('{"actor":{"id":"a"},"subject":null}'), 'form'],
    ['a record whose subject is a number', saying('{"actor":{"id":"a"},"subject":1}'), 'form'],
    ['a record with one space more', saying(`${second.payload} `), 'form'],
    ['another actor', { ...second, actor: 'x' }, 'derived'],
    ['another action', { ...second, action: 'x' }, 'derived'],
    ['another sort of subject', { ...second, subjectType: 'x' }, 'derived'],
    ['another subject', { ...second, subjectId: 'x' }, 'derived'],
    ['another run', { ...second, runId: 'x' }, 'derived'],
    ['no run', { ...second, runId: null }, 'derived'],
  ];

  it.each(wrong)('%s', (_, event, problem, before = first) => {
    expect(chainProblem(event, before, ORG) ?? payloadProblem(event)).toBe(problem);
    expect(problemOf(event, before, ORG)).toBe(problem);
  });

  it('its organization, where that is a text that no hash covers', () => {
    for (const orgId of [`ab${ORG}`, `${ORG}ab`, ORG.toUpperCase(), ORG.replaceAll('-', ''), '']) {
      expect(chainProblem({ ...second, orgId }, first, orgId)).toBe('hash');
      expect(problemOf({ ...second, orgId }, first, orgId)).toBe('hash');
    }
  });

  it('its number, where that is no count from 1', () => {
    for (const seq of [0, -1]) {
      expect(chainProblem({ ...second, seq }, { ...first, seq: seq - 1 }, ORG)).toBe('hash');
      expect(problemOf({ ...second, seq }, { ...first, seq: seq - 1 }, ORG)).toBe('hash');
    }
  });

  it('a field that no hash covers, though someone made one for it', () => {
    const hashedAnyway = (event: AuditEvent): AuditEvent => {
      const numbers = new DataView(new ArrayBuffer(16));
      numbers.setBigInt64(0, BigInt(event.seq));
      numbers.setBigInt64(8, event.at);
      const [head, org] = [Uint8Array.of(0, 1), hexToBytes(event.orgId.replaceAll('-', ''))];
      const parts = [head, org, new Uint8Array(numbers.buffer), event.prev, event.digest];
      return { ...event, hash: sha256(concatBytes(...parts)) };
    };
    expect(hashedAnyway(second).hash).toEqual(second.hash);
    const wrong: [Partial<AuditEvent>, Partial<Before>][] = [
      [{ prev: new Uint8Array(31) }, { hash: null }],
      [{ seq: 0 }, { seq: -1 }],
      [{ at: second.at + 2n ** 64n }, {}],
    ];
    for (const [change, before] of wrong) {
      const event = hashedAnyway({ ...second, ...change });
      expect(chainProblem(event, { ...first, ...before }, ORG)).toBe('hash');
      expect(problemOf(event, { ...first, ...before }, ORG)).toBe('hash');
    }
  });

  it('is no matter of a field that breaks in another way than by its size', () => {
    const broken = { ...second, prev: null as unknown as Uint8Array };
    expect(() => chainProblem(broken, { ...first, hash: null }, ORG)).toThrow(TypeError);
  });
});

describe('an event that says which were erased', () => {
  const record = erasureRecord({ actor: SYSTEM_ACTOR, sessionId: 's' }, ORG, [2, 4]);
  const said = (data: unknown, action = 'audit.erased'): AuditEvent => ({
    ...second,
    action,
    payload: JSON.stringify({
      action,
      actor: { id: 'a' },
      ...(data !== undefined && { data }),
      subject: { id: 's', type: 'audit' },
    }),
  });

  it('is about the trail itself', () => {
    expect(record).toEqual({
      actor: SYSTEM_ACTOR,
      sessionId: 's',
      action: 'audit.erased',
      subject: { type: 'audit', id: ORG },
      data: { seqs: [2, 4] },
    });
    expect(derivedColumns(record)).toMatchObject({ subjectType: 'audit', subjectId: ORG, runId: null });
  });

  it.each([
    ['numbers', said({ seqs: [2, 4] }), [2, 4]],
    ['numbers among others', said({ seqs: [2, '3', null, 4] }), [2, 4]],
    ['no list', said({ seqs: 2 }), []],
    ['nothing', said({}), []],
    ['data that is a text', said('seqs'), []],
    ['data that is null', said(null), []],
    ['no data', said(undefined), []],
    ['another action', said({ seqs: [2] }, 'audit.exported'), []],
    ['content in another form', { ...said({ seqs: [2] }), payload: ` ${said({ seqs: [2] }).payload}` }, []],
    ['content that is none', { ...said({ seqs: [2] }), payload: '[' }, []],
    ['content that was erased', { ...said({ seqs: [2] }), payload: null }, []],
  ])('names %s', (_, event, seqs) => {
    expect(erasedBy(event)).toEqual(seqs);
    expect(erasuresIn(event)).toEqual(seqs);
  });
});

describe('the subjects of events', () => {
  it('keep their names: trails of years ago have them', () => {
    expect(AUDIT_SUBJECTS).toEqual([
      'user',
      'organization',
      'invitation',
      'workflow',
      'version',
      'run',
      'integration',
      'token',
      'webhook',
      'audit',
    ]);
  });
});
