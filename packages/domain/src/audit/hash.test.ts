import { bytesToHex, hexToBytes } from '@noble/hashes/utils';
import { describe, expect, it } from 'vitest';
import { eventHash, GENESIS, payloadDigest } from './hash.ts';

// The expected values come from an independent implementation of the format.
const salt = Uint8Array.from({ length: 16 }, (_, index) => index);
const digest = 'b447b88d95ecae988790bbe2fb386a662d7b24d70a33606b564ac304348f76fd';
const orgId = '018f4e6a-7b2c-7d3e-8f40-1a2b3c4d5e6f';

describe('event hashes', () => {
  it('include the salt before the payload', () => {
    expect(bytesToHex(payloadDigest(salt, '{"action":"draft.saved"}'))).toBe(digest);
  });

  it('cover version, organization, number, time, predecessor and digest', () => {
    const first = eventHash({ orgId, seq: 1, at: 1_795_228_967_000_123n, prev: GENESIS, digest: hexToBytes(digest) });
    expect(bytesToHex(first)).toBe('2e210e64dbcef48539b48fb329ed673c71187a9cd48c18114f60f39dfc4309b7');
    const prev = new Uint8Array(32).fill(0xab);
    const extreme = eventHash({
      orgId,
      seq: Number.MAX_SAFE_INTEGER,
      at: -1n,
      prev,
      digest: new Uint8Array(32).fill(0xcd),
    });
    expect(bytesToHex(extreme)).toBe('1d440879ef8ab4eb86bae20eb2042a0da6460f669b3aeb1f0d5a237017d33965');
  });

  it.each([
    ['a text that isn’t a UUID', { orgId: 'acme' }, 'acme is not a lower-case UUID'],
    ['a UUID in upper case', { orgId: orgId.toUpperCase() }, 'is not a lower-case UUID'],
    ['a UUID with trailing text', { orgId: `${orgId}00` }, 'is not a lower-case UUID'],
    ['a UUID with something before it', { orgId: `00${orgId}` }, 'is not a lower-case UUID'],
    ['number 0', { seq: 0 }, '0 is not a sequence number'],
    ['a fraction', { seq: 1.5 }, '1.5 is not a sequence number'],
    ['an unsafe integer', { seq: 2 ** 53 }, 'is not a sequence number'],
    ['a time that doesn’t fit into 8 bytes', { at: 2n ** 63n }, '9223372036854775808 does not fit into 8 bytes'],
    ['a short predecessor', { prev: new Uint8Array(31) }, 'a hash must have 32 bytes'],
    ['a long digest', { digest: new Uint8Array(33) }, 'a hash must have 32 bytes'],
  ])('can’t be computed with %s', (_, wrong, message) => {
    const fields = { orgId, seq: 1, at: 0n, prev: GENESIS, digest: new Uint8Array(32) };
    expect(() => eventHash({ ...fields, ...wrong })).toThrow(RangeError);
    expect(() => eventHash({ ...fields, ...wrong })).toThrow(message);
  });
});
