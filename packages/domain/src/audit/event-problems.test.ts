import { sha256 } from '@noble/hashes/sha2';
import { concatBytes, hexToBytes } from '@noble/hashes/utils';
import { describe, expect, it } from 'vitest';
import { chainOf, ORG, someRecords } from './audit.arbitrary.ts';
import { type Before, type ChainProblem, chainProblem, payloadProblem } from './event-problems.ts';
import { type AuditEvent, AUDIT_SUBJECTS } from './events.ts';
import { eventHash, payloadDigest } from './hash.ts';
import { problemOf } from './verifier/events.ts';

const [first, second] = chainOf(someRecords(2));
if (!first || !second) throw new Error('no events');

const rehashed = (event: AuditEvent): AuditEvent => ({ ...event, hash: eventHash(event) });
/** The second event with another payload, and a digest and hash that match it. */
const withPayload = (payload: string, columns: Partial<AuditEvent> = {}): AuditEvent => {
  const salt = second.salt ?? new Uint8Array(16);
  return rehashed({ ...second, ...columns, payload, digest: payloadDigest(salt, payload) });
};

describe('the problem of an event', () => {
  const wrong: [string, AuditEvent, ChainProblem | null, Before?][] = [
    ['nothing', second, null],
    ['nothing after an event without a known hash', second, null, { ...first, hash: null }],
    ['nothing at the same time as the event before', second, null, { ...first, at: second.at }],
    ['another organization before anything else', { ...second, orgId: 'other', seq: 9 }, 'organization'],
    ['a number too high, before an early moment', { ...second, seq: 3, at: 0n }, 'gap'],
    ['a repeated number', { ...second, seq: 1 }, 'gap'],
    ['an earlier time than the event before it', { ...second, at: first.at - 1n }, 'order'],
    ['a previous event with another hash', second, 'link', { ...first, hash: new Uint8Array(32) }],
    ['only the beginning of the previous hash', { ...second, prev: second.prev.subarray(0, 31) }, 'link'],
    ['an invalid digest', { ...second, digest: new Uint8Array(31) }, 'digest'],
    ['a time that can’t be hashed', { ...second, at: 2n ** 63n }, 'hash'],
    ['a longer hash', { ...second, hash: new Uint8Array([...second.hash, 0]) }, 'hash'],
    ['content without salt', { ...second, salt: null }, 'erased'],
    ['salt without content', { ...second, payload: null }, 'erased'],
    ['neither content nor salt', { ...second, payload: null, salt: null }, 'erased'],
    [
      'a claim that others were erased',
      withPayload('{"action":"audit.erased","actor":{"id":"a"},"subject":{"id":"s","type":"audit"}}'),
      'erased',
    ],
    ['other content', { ...second, payload: '{}' }, 'digest'],
    ['another salt', { ...second, salt: new Uint8Array(16) }, 'digest'],
    ['content that isn’t JSON', withPayload('{'), 'form'],
    ['content that is null', withPayload('null'), 'form'],
    ['content that is a text', withPayload('"text"'), 'form'],
    ['a record without actor', withPayload('{"subject":{"id":"s","type":"run"}}'), 'form'],
    ['a record without subject', withPayload('{"actor":{"id":"a"}}'), 'form'],
    ['a record whose actor is null', withPayload('{"actor":null,"subject":{"id":"s","type":"run"}}'), 'form'],
    ['a record whose actor is a text', withPayload('{"actor":"a","subject":{"id":"s","type":"run"}}'), 'form'],
    ['a record whose subject is null', withPayload('{"actor":{"id":"a"},"subject":null}'), 'form'],
    ['a record whose subject is a number', withPayload('{"actor":{"id":"a"},"subject":1}'), 'form'],
    ['a record with an extra space', withPayload(`${second.payload} `), 'form'],
    ['another actor', { ...second, actor: 'x' }, 'derived'],
    ['another action', { ...second, action: 'x' }, 'derived'],
    ['another kind of subject', { ...second, subjectType: 'x' }, 'derived'],
    ['another subject', { ...second, subjectId: 'x' }, 'derived'],
    ['another run', { ...second, runId: 'x' }, 'derived'],
    ['no run', { ...second, runId: null }, 'derived'],
  ];

  it.each(wrong)('%s', (_, event, problem, before = first) => {
    expect(chainProblem(event, before, ORG) ?? payloadProblem(event)).toBe(problem);
    expect(problemOf(event, before, ORG)).toBe(problem);
  });

  it('is hash if the organization can’t be hashed', () => {
    for (const orgId of [`ab${ORG}`, `${ORG}ab`, ORG.toUpperCase(), ORG.replaceAll('-', ''), '']) {
      expect(chainProblem({ ...second, orgId }, first, orgId)).toBe('hash');
      expect(problemOf({ ...second, orgId }, first, orgId)).toBe('hash');
    }
  });

  it('is hash if the number isn’t a positive integer', () => {
    for (const seq of [0, -1]) {
      expect(chainProblem({ ...second, seq }, { ...first, seq: seq - 1 }, ORG)).toBe('hash');
      expect(problemOf({ ...second, seq }, { ...first, seq: seq - 1 }, ORG)).toBe('hash');
    }
  });

  it('is hash if a field is out of range, even with a hash computed from it', () => {
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

  it('does not hide errors other than a field out of range', () => {
    const broken = { ...second, prev: null as unknown as Uint8Array };
    expect(() => chainProblem(broken, { ...first, hash: null }, ORG)).toThrow(TypeError);
  });
});

describe('the subjects of events', () => {
  it('keep their names, because old trails contain them', () => {
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
