const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Returns Base64 with padding (RFC 4648, section 4). */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    const word = (a << 16) | (b << 8) | c;
    for (let part = 0; part < 4; part++) {
      text += at + part > bytes.length ? '=' : (ALPHABET[(word >> (18 - 6 * part)) & 63] ?? '');
    }
  }
  return text;
}

/**
 * Returns the bytes of a base64 text. Null for any encoding that `toBase64` doesn't produce. Every byte sequence
 * therefore has exactly one accepted encoding, and a changed text can't pass verification.
 */
export function fromBase64(text: string): Uint8Array | null {
  const digits = text.replace(/={1,2}$/, '');
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let word = 0;
  let bits = 0;
  let at = 0;
  for (const digit of digits) {
    const value = ALPHABET.indexOf(digit);
    if (value < 0) return null;
    word = ((word << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) bytes[at++] = (word >> (bits -= 8)) & 0xff;
  }
  return toBase64(bytes) === text ? bytes : null;
}
