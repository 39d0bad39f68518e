import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils';
import { fromBase64, toBase64 } from './base64.ts';
import { sameBytes } from './hash.ts';

/** The signer of a note: their name and 32-byte Ed25519 public key. */
export type NoteKey = { name: string; publicKey: Uint8Array };

/** Returns an Ed25519 signature, 64 bytes. */
export type Sign = (message: Uint8Array) => Uint8Array;
/** Checks an Ed25519 signature. */
export type VerifySignature = (input: { publicKey: Uint8Array; message: Uint8Array; signature: Uint8Array }) => boolean;

/** The note's text, or why it is invalid: malformed, signed by none of the keys, or with a wrong signature. */
type OpenedNote = { ok: true; text: string } | { ok: false; problem: 'form' | 'unknown_key' | 'signature' };

const ED25519 = Uint8Array.of(0x01);
const NAME = /^[^\s+]+$/u;
const SIGNATURE_LINE = /^— ([^\s+]+) ([A-Za-z0-9+/=]+)$/u;

const keyHash = ({ name, publicKey }: NoteKey): Uint8Array =>
  sha256(concatBytes(utf8ToBytes(`${name}\n`), ED25519, publicKey)).subarray(0, 4);

/**
 * Returns the key as text to exchange: `name+hash+base64`, as in C2SP's signed notes. Throws `RangeError` if the name
 * is empty or contains white space or a plus sign.
 */
export function writeNoteKey(key: NoteKey): string {
  if (!NAME.test(key.name)) throw new RangeError(`${key.name} can't name a key`);
  return `${key.name}+${bytesToHex(keyHash(key))}+${toBase64(concatBytes(ED25519, key.publicKey))}`;
}

/** Reads text that `writeNoteKey` wrote; null for any other text. */
export function readNoteKey(text: string): NoteKey | null {
  const [, name = '', , encoded = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  if (bytes?.length !== 33 || bytes[0] !== 0x01) return null;
  const key = { name, publicKey: bytes.subarray(1) };
  return writeNoteKey(key) === text ? key : null;
}

/**
 * Returns a signed note (C2SP): the text, an empty line, `— name base64(key hash ‖ signature)`. Throws `RangeError` if
 * the text doesn't end with a line break.
 */
export function signNote(text: string, key: NoteKey, sign: Sign): string {
  if (!text.endsWith('\n')) throw new RangeError('the text of a note must end with a line break');
  const signature = sign(utf8ToBytes(text));
  return `${text}\n— ${key.name} ${toBase64(concatBytes(keyHash(key), signature))}\n`;
}

/**
 * Returns the start of this key's signature line in a note, for searches. It contains 30 of the 32 bits of the key
 * hash, because the other two share a digit with the signature.
 */
export const signatureStart = (key: NoteKey): string => `\n— ${key.name} ${toBase64(keyHash(key)).slice(0, 5)}`;

/**
 * Opens a note that one of the keys signed. A wrong signature under a known key makes the note invalid, even if other
 * signatures are right.
 */
export function openNote(note: string, keys: readonly NoteKey[], verify: VerifySignature): OpenedNote {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) return { ok: false, problem: 'form' };
  const text = note.slice(0, end + 1);
  const message = utf8ToBytes(text);
  const lines = note.slice(end + 2, -1).split('\n');
  let isSigned = false;
  for (const line of lines) {
    const [, name, encoded = ''] = SIGNATURE_LINE.exec(line) ?? [];
    const bytes = fromBase64(encoded);
    if (name === undefined || bytes === null || bytes.length < 5) return { ok: false, problem: 'form' };
    const key = keys.find((known) => known.name === name && sameBytes(keyHash(known), bytes.subarray(0, 4)));
    if (key === undefined) continue;
    const signature = bytes.subarray(4);
    if (signature.length !== 64 || !verify({ publicKey: key.publicKey, message, signature })) {
      return { ok: false, problem: 'signature' };
    }
    isSigned = true;
  }
  return isSigned ? { ok: true, text } : { ok: false, problem: 'unknown_key' };
}
