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
/** Returns the second event with a different payload, and a digest and hash that match it. */
const withPayload = (payload: string, columns: Partial<AuditEvent> = {}): AuditEvent => {
  const salt = second.salt ?? new Uint8Array(16);
  return rehashed({ ...second, ...columns, payload, digest: payloadDigest(salt, payload) });
};

describe('an event’s problem', () => {
  const wrong: [string, ChainProblem | null, AuditEvent, Before?][] = [
    ['nothing wrong', null, second],
    ['nothing wrong after an event whose hash is unknown', null, second, { ...first, hash: null }],
    ['the same time as the event before it', null, second, { ...first, at: second.at }],
    ['a different organization and a wrong number', 'organization', { ...second, orgId: 'other', seq: 9 }],
    ['a number that is too high and an earlier time', 'gap', { ...second, seq: 3, at: 0n }],
    ['a repeated number', 'gap', { ...second, seq: 1 }],
    ['an earlier time than the event before it', 'order', { ...second, at: first.at - 1n }],
    ['a previous event with a different hash', 'link', second, { ...first, hash: new Uint8Array(32) }],
    ['only the beginning of the previous hash', 'link', { ...second, prev: second.prev.subarray(0, 31) }],
    ['an invalid digest', 'digest', { ...second, digest: new Uint8Array(31) }],
    ['a time that can’t be hashed', 'hash', { ...second, at: 2n ** 63n }],
    ['a longer hash', 'hash', { ...second, hash: new Uint8Array([...second.hash, 0]) }],
    ['content without salt', 'erased', { ...second, salt: null }],
    ['salt without content', 'erased', { ...second, payload: null }],
    ['neither content nor salt', 'erased', { ...second, payload: null, salt: null }],
    [
      'a claim that others were erased',
      'erased',
      withPayload('{"action":"audit.erased","actor":{"id":"a"},"subject":{"id":"s","type":"audit"}}'),
    ],
    ['different content', 'digest', { ...second, payload: '{}' }],
    ['a different salt', 'digest', { ...second, salt: new Uint8Array(16) }],
    ['content that isn’t JSON', 'form', withPayload('{')],
    ['content that is null', 'form', withPayload('null')],
    ['content that is a string', 'form', withPayload('"text"')],
    ['a record without an actor', 'form', withPayload('{"subject":{"id":"s","type":"run"}}')],
    ['a record without a subject', 'form', withPayload('{"actor":{"id":"a"}}')],
    ['a record whose actor is null', 'form', withPayload('{"actor":null,"subject":{"id":"s","type":"run"}}')],
    ['a record whose actor is a string', 'form', withPayload('{"actor":"a","subject":{"id":"s","type":"run"}}')],
    ['a record whose subject is null', 'form', withPayload('{"actor":{"id":"a"},"subject":null}')],
    ['a record whose subject is a number', 'form', withPayload('{"actor":{"id":"a"},"subject":1}')],
    ['a record with an extra space', 'form', withPayload(`${second.payload} `)],
    ['a different actor', 'derived', { ...second, actor: 'x' }],
    ['a different action', 'derived', { ...second, action: 'x' }],
    ['a different kind of subject', 'derived', { ...second, subjectType: 'x' }],
    ['a different subject', 'derived', { ...second, subjectId: 'x' }],
    ['a different run', 'derived', { ...second, runId: 'x' }],
    ['no run', 'derived', { ...second, runId: null }],
  ];

  it.each(wrong)('if it has %s is %s', (_, problem, event, before = first) => {
    expect(chainProblem(event, before, ORG) ?? payloadProblem(event)).toBe(problem);
    expect(problemOf(event, before, ORG)).toBe(problem);
  });

  it('is `hash` if the organization’s id is malformed', () => {
    for (const orgId of [`ab${ORG}`, `${ORG}ab`, ORG.toUpperCase(), ORG.replaceAll('-', ''), '']) {
      expect(chainProblem({ ...second, orgId }, first, orgId)).toBe('hash');
      expect(problemOf({ ...second, orgId }, first, orgId)).toBe('hash');
    }
  });

  it('is `hash` if the number isn’t positive', () => {
    for (const seq of [0, -1]) {
      expect(chainProblem({ ...second, seq }, { ...first, seq: seq - 1 }, ORG)).toBe('hash');
      expect(problemOf({ ...second, seq }, { ...first, seq: seq - 1 }, ORG)).toBe('hash');
    }
  });

  it('is `hash` if a field is out of range, even if the hash was computed from it', () => {
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

  it('isn’t found for a value of the wrong type, which throws an error', () => {
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
      'group',
      'delegation',
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
