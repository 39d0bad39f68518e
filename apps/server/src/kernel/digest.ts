import { createHash } from 'node:crypto';
import { canonicalJson } from '@stet/domain/workflows';

/** The first 16 bytes of the SHA-256 of a value's canonical JSON, in hex. */
export const digestOf = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 32);
