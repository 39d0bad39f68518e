import { type KeyObject, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type NoteKey, type Sign, type VerifySignature, fromBase64, originOf, toBase64 } from '@stet/domain/audit';
import { keptOnce } from './kept-once.ts';

/** Signs what the audit trail was. Its key is in a file, not in the database: who can write there can't sign. */
export type AuditSigner = {
  /** The key that signs for an organization: one for all, under each one's name. */
  keyOf: (orgId: string) => NoteKey;
  sign: Sign;
  /** That key, and those of other servers or earlier ones: each `audit-*.pub` in the folder of the keys. */
  trustedKeysOf: (orgId: string) => NoteKey[];
};

const OWN = 'audit-signing';

/** Opens the signing key of this installation; it is made at the first start. Servers of one installation share the folder. */
export function openAuditSigner(dataDir: string): AuditSigner {
  const folder = join(dataDir, 'keys');
  const pem = keptOnce(join(folder, `${OWN}.key`), () =>
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );
  const privateKey = createPrivateKey(pem);
  const publicKey = rawOf(createPublicKey(privateKey));
  keptOnce(join(folder, `${OWN}.pub`), () => toBase64(publicKey));
  const others = readdirSync(folder)
    .filter((file) => /^audit-.*\.pub$/.test(file))
    .flatMap((file) => fromBase64(readFileSync(join(folder, file), 'utf8').trim()) ?? [])
    .filter((key) => key.length === 32 && Buffer.compare(key, publicKey) !== 0);
  return {
    keyOf: (orgId) => ({ name: originOf(orgId), publicKey }),
    sign: (message) => sign(null, message, privateKey),
    trustedKeysOf: (orgId) => [publicKey, ...others].map((key) => ({ name: originOf(orgId), publicKey: key })),
  };
}

// What stands before the 32 bytes of an Ed25519 key in its SPKI form (RFC 8410).
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

const rawOf = (key: KeyObject): Uint8Array =>
  new Uint8Array(key.export({ type: 'spki', format: 'der' }).subarray(SPKI_HEAD.length));

/** Checks an Ed25519 signature; false for bytes that are no key. */
export const verifyEd25519: VerifySignature = ({ publicKey, message, signature }) => {
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI_HEAD, publicKey]), format: 'der', type: 'spki' });
    return verify(null, message, key, signature);
  } catch {
    return false;
  }
};
