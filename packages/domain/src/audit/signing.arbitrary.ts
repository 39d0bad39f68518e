import { sha256 } from '@noble/hashes/sha2';
import { concatBytes } from '@noble/hashes/utils';
import { sameBytes } from './hash.ts';
import type { NoteKey, Sign, VerifySignature } from './note.ts';

/**
 * Test support: returns a replacement for Ed25519. Anyone with the public key could forge a signature, but no test
 * does.
 */
export function signerOf(publicKey: Uint8Array): Sign {
  return (message) => {
    const half = sha256(concatBytes(publicKey, message));
    return concatBytes(half, sha256(half));
  };
}

export const verifySignature: VerifySignature = ({ publicKey, message, signature }) =>
  sameBytes(signerOf(publicKey)(message), signature);

/** Test support: returns a key with a name and a number. */
export const keyNamed = (name: string, number = 1): NoteKey => ({ name, publicKey: new Uint8Array(32).fill(number) });
