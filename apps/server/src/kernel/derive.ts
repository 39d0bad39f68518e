import { createHash, createHmac } from 'node:crypto';

/**
 * Derives 32 bytes that only this installation can compute, from a purpose and its parameters. The bytes for different
 * purposes are unrelated, so a value for one purpose can't be used for another.
 */
export type Derive = (purpose: string, ...parts: readonly (string | number)[]) => Buffer;

/**
 * Computes an HMAC-SHA256 with the installation's secret. The list is encoded as JSON, so two different lists never
 * give the same bytes.
 */
export const openDerive =
  (secret: string): Derive =>
  (...list) =>
    createHmac('sha256', secret).update(JSON.stringify(list)).digest();

/** Returns the form in which a secret token is stored: its SHA-256. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest();
