import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { openDerive } from './derive.ts';

/** Thrown if a stored value was changed, or was encrypted with a secret that this installation doesn't have. */
export class Unreadable extends Error {}

/**
 * Encrypts values that have to be decrypted later, for example the access tokens of other services. `purpose` and
 * `owner` are authenticated with the value, so a value encrypted for one organization can't be decrypted for another.
 */
export type Vault = {
  /** The id of the key that is currently used for encryption. */
  keyId: string;
  seal: (purpose: string, owner: string, text: string) => string;
  /** Throws `Unreadable`. */
  open: (purpose: string, owner: string, sealed: string) => string;
};

type Key = { id: string; bytes: Buffer };

const FORM = /^v1\.([\da-f]{8})\.([\w-]+)$/;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM with a key derived from the installation's secret. Values encrypted with earlier secrets can also be
 * decrypted.
 */
export function openVault(secret: string, previous: readonly string[] = []): Vault {
  const current = keyOf(secret);
  const keys = new Map([current, ...previous.map(keyOf)].toReversed().map((key) => [key.id, key]));
  return {
    keyId: current.id,
    seal: (purpose, owner, text) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.bytes, nonce).setAAD(belongsTo(purpose, owner));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `v1.${current.id}.${sealed.toString('base64url')}`;
    },
    open: (purpose, owner, sealed) => {
      const [, id = '', body = ''] = FORM.exec(sealed) ?? [];
      const key = keys.get(id);
      const bytes = Buffer.from(body, 'base64url');
      if (!key || bytes.length < NONCE_BYTES + TAG_BYTES)
        throw new Unreadable("encrypted with a key that this installation doesn't have");
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, NONCE_BYTES))
        .setAAD(belongsTo(purpose, owner))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        throw new Unreadable('changed since it was encrypted');
      }
    },
  };
}

const belongsTo = (purpose: string, owner: string): Buffer => Buffer.from(JSON.stringify([purpose, owner]));

function keyOf(secret: string): Key {
  const derive = openDerive(secret);
  return { id: derive('vault key id').toString('hex', 0, 4), bytes: derive('vault key') };
}
