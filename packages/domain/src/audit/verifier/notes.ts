import { sha256 } from '@noble/hashes/sha2';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils';
import type { Checkpoint } from '../checkpoint.ts';
import type { NoteKey, VerifySignature } from '../note.ts';
import { areSame, bytesOfBase64, bytesOfHex } from './bytes.ts';

const ED25519 = 1;

const idOf = ({ name, publicKey }: NoteKey): Uint8Array =>
  sha256(concatBytes(utf8ToBytes(name), Uint8Array.of(0x0a, ED25519), publicKey)).slice(0, 4);

/** Parses a key (`name+id+base64`, C2SP); null for any other text. */
export function keyOfText(text: string): NoteKey | null {
  const [name = '', id, ...encoded] = text.split('+');
  const bytes = bytesOfBase64(encoded.join('+'));
  if (!/^\S+$/u.test(name) || bytes?.length !== 33 || bytes[0] !== ED25519) return null;
  const key = { name, publicKey: bytes.slice(1) };
  const title = bytesOfHex(id);
  return title !== null && areSame(title, idOf(key)) ? key : null;
}

/**
 * Returns the text of a note (C2SP signed-note) that at least one of the keys signed. Null if the note is malformed, if
 * none of the keys signed it, or if a signature by one of them is wrong.
 */
export function textOfNote(note: string, keys: readonly NoteKey[], verify: VerifySignature): string | null {
  const [, text, signatures] = /^([^]*\n)\n((?:[^\n]+\n)+)$/.exec(note) ?? [];
  if (text === undefined || signatures === undefined) return null;
  const message = utf8ToBytes(text);
  let isSigned = false;
  for (const line of signatures.slice(0, -1).split('\n')) {
    const [, name, encoded = ''] = /^— ([^\s+]+) (\S+)$/u.exec(line) ?? [];
    const bytes = bytesOfBase64(encoded);
    if (name === undefined || bytes === null || bytes.length < 5) return null;
    const key = keys.find((known) => known.name === name && areSame(idOf(known), bytes.slice(0, 4)));
    if (!key) continue;
    const signature = bytes.slice(4);
    if (signature.length !== 64 || !verify({ publicKey: key.publicKey, message, signature })) return null;
    isSigned = true;
  }
  return isSigned ? text : null;
}

/** Parses the text of a checkpoint; null for any other text. */
export function checkpointOf(text: string): Checkpoint | null {
  const [origin = '', size = '', root = '', head = '', signed = '', ...rest] = text.split('\n');
  const orgId = /^stet\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(origin)?.[1];
  const rootBytes = bytesOfBase64(root);
  const [, headSize, headHex] = /^head (\d+) ([0-9a-f]{64})$/.exec(head) ?? [];
  const headBytes = bytesOfHex(headHex);
  const at = /^signed (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/.exec(signed)?.[1];
  const isWhole = rest.length === 1 && rest[0] === '' && /^[1-9]\d{0,15}$/.test(size) && headSize === size;
  if (!isWhole || orgId === undefined || rootBytes?.length !== 32 || headBytes === null || at === undefined)
    return null;
  return Number.isSafeInteger(Number(size))
    ? { orgId, size: Number(size), root: rootBytes, head: headBytes, at }
    : null;
}

/** Returns whether the signed end of a bundle names this organization, number of lines and digest. */
export function isEndOf(
  text: string,
  { orgId, lines, digest }: { orgId: string; lines: number; digest: Uint8Array },
): boolean {
  const [title, count, encoded = '', rest, ...more] = text.split('\n');
  const bytes = bytesOfBase64(encoded);
  return (
    title === `stet export of ${orgId}` &&
    count === `${lines} lines` &&
    bytes !== null &&
    areSame(bytes, digest) &&
    rest === '' &&
    more.length === 0
  );
}
