import { hexToBytes } from '@noble/hashes/utils';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Returns the bytes of a base64 text with padding (RFC 4648); null for any other text, including one with leftover
 * bits.
 */
export function bytesOfBase64(text: string): Uint8Array | null {
  if (!BASE64.test(text)) return null;
  const bits = text
    .replace(/=+$/, '')
    .split('')
    .map((digit) => ALPHABET.indexOf(digit).toString(2).padStart(6, '0'))
    .join('');
  const length = Math.floor(bits.length / 8);
  if (bits.slice(length * 8).includes('1')) return null;
  return Uint8Array.from({ length }, (_, at) => Number.parseInt(bits.slice(at * 8, at * 8 + 8), 2));
}

/** Returns the bytes of lower-case hexadecimal digits; null for any other text. */
export const bytesOfHex = (text: unknown): Uint8Array | null =>
  typeof text === 'string' && /^(?:[0-9a-f]{2})*$/.test(text) ? hexToBytes(text) : null;

/** True if both have the same bytes. */
export const areSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

const DEEPEST = 100;

/**
 * Returns the canonical text of a JSON value (RFC 8785). Throws for a lone surrogate, which has none, and for a value
 * that is nested more than 100 levels deep.
 */
export function canonicalText(value: unknown, depth = 0): string {
  if (depth > DEEPEST) throw new RangeError('nested too deeply');
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) throw new RangeError('lone surrogate');
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item, depth + 1)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, item]) => `${canonicalText(key, depth)}:${canonicalText(item, depth + 1)}`).join(',')}}`;
}
