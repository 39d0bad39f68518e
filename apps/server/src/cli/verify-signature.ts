import { createPublicKey, verify } from 'node:crypto';
import type { VerifySignature } from '@stet/domain/audit';

/**
 * Checks an Ed25519 signature; false for bytes that are no key. The verifier's own, by the key's JWK form: what signs the trail
 * is another file, and a mistake there isn't repeated here.
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
