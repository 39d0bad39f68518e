import {
  type KeyObject,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  sign,
  verify,
} from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type VerifySignature, fromBase64, originOf, toBase64 } from '@stet/domain/audit';
import { readOrCreate } from '../../kernel/key-files.ts';
import type { AuditSigner } from '../../kernel/deps.ts';

const OWN = 'audit-signing';

/**
 * Opens this installation's signing key, which the first start creates. All servers of an installation need the same
 * key.
 */
export function openAuditSigner(dataDir: string): AuditSigner {
  const folder = join(dataDir, 'keys');
  const pem = readOrCreate(join(folder, `${OWN}.key`), () =>
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );
  const privateKey = createPrivateKey(pem);
  const publicKey = rawOf(createPublicKey(privateKey));
  readOrCreate(join(folder, `${OWN}.pub`), () => toBase64(publicKey));
  const others = readdirSync(folder)
    .filter((file) => /^audit-.*\.pub$/.test(file))
    .flatMap((file) => fromBase64(readFileSync(join(folder, file), 'utf8').trim()) ?? [])
    .filter((key) => key.length === 32 && Buffer.compare(key, publicKey) !== 0);
  return {
    keyOf: (orgId) => ({ name: originOf(orgId), publicKey }),
    sign: (message) => sign(null, message, privateKey),
    trustedKeysOf: (orgId) => [publicKey, ...others].map((key) => ({ name: originOf(orgId), publicKey: key })),
    deriveSecret: (purpose) =>
      Buffer.from(
        hkdfSync('sha256', privateKey.export({ type: 'pkcs8', format: 'der' }), new Uint8Array(), purpose, 32),
      ),
  };
}

// The prefix of a 32-byte Ed25519 public key in SPKI format (RFC 8410).
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

const rawOf = (key: KeyObject): Uint8Array =>
  new Uint8Array(key.export({ type: 'spki', format: 'der' }).subarray(SPKI_HEAD.length));

/** Checks an Ed25519 signature. Returns false if the bytes aren't a valid key. */
export const verifyEd25519: VerifySignature = ({ publicKey, message, signature }) => {
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI_HEAD, publicKey]), format: 'der', type: 'spki' });
    return verify(null, message, key, signature);
  } catch {
    return false;
  }
};
