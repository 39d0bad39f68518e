/** Media types that downloads declare. All other files are `application/octet-stream`, which no browser renders. */
const SIGNATURES: readonly (readonly [string, (bytes: Buffer) => boolean])[] = [
  ['image/jpeg', (bytes) => startsWith(bytes, 0, 'ffd8ff')],
  ['image/png', (bytes) => startsWith(bytes, 0, '89504e470d0a1a0a')],
  ['image/gif', (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))],
  ['image/webp', (bytes) => textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 12) === 'WEBP'],
  ['image/heic', (bytes) => textAt(bytes, 4, 8) === 'ftyp' && /^(?:heic|heix|mif1|hevc)$/.test(textAt(bytes, 8, 12))],
  ['application/pdf', (bytes) => textAt(bytes, 0, 5) === '%PDF-'],
];

const textAt = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to);
const startsWith = (bytes: Buffer, at: number, hex: string): boolean =>
  bytes.toString('hex', at, at + hex.length / 2) === hex;

/** Detects the media type of a file from its first bytes. Its name and declared type come from the uploader, so they are ignored. */
export function sniffMediaType(first: Buffer): string {
  return SIGNATURES.find(([, is]) => is(first))?.[0] ?? 'application/octet-stream';
}
