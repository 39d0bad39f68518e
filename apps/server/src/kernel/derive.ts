import { createHash, createHmac } from 'node:crypto';

/**
 * 32 bytes that only this installation can compute, from a purpose and what belongs to it. Another purpose gives
 * unrelated bytes, so that a value made for one use is worth nothing in another.
 */
export type Derive = (purpose: string, ...parts: readonly (string | number)[]) => Buffer;

/** HMAC-SHA256 under the installation's secret. The list is written as JSON: no two different ones read the same. */
export const openDerive =
  (secret: string): Derive =>
  (...list) =>
    createHmac('sha256', secret).update(JSON.stringify(list)).digest();

/** What is stored of a token that opens something: its SHA-256. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest();
