import { createHmac, createPublicKey, verify } from 'node:crypto';
import type { MacCheck, VerifySignature } from '@stet/domain/audit';

/**
 * Checks an Ed25519 signature. Returns false for an invalid key. The verifier has separate code, based on the key's JWK
 * format, so that it doesn't repeat a mistake of the code that signs the trail.
 */
export const verifyEd25519: VerifySignature = ({ publicKey, message, signature }) => {
  try {
    const x = Buffer.from(publicKey).toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, message, key, signature);
  } catch {
    return false;
  }
};

/** Checks MACs (HMAC-SHA-256) with the installation's key. */
export function checkMacBy(key: Uint8Array): MacCheck['isMac'] {
  return (message, mac) => createHmac('sha256', key).update(message).digest().equals(mac);
}
