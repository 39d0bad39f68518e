import { bytesToHex, hexToBytes } from '@noble/hashes/utils';
import { fromBase64, toBase64 } from './base64.ts';

/** A checkpoint of an organization's trail: the first `size` events have this root and end with this hash. */
export type Checkpoint = {
  /** UUID. */
  orgId: string;
  /** The number of sealed events, which is also the number of the last one. */
  size: number;
  /** RFC 6962 root over the event hashes, 32 bytes. */
  root: Uint8Array;
  /** Hash of the last sealed event, 32 bytes. */
  head: Uint8Array;
  /** Time of signing, ISO 8601 in UTC. */
  at: string;
};

/** Returns the origin of an organization's checkpoints, and the name of the key that signs them. */
export function originOf(orgId: string): string {
  return `stet/${orgId}`;
}

/** Returns a checkpoint as text in C2SP's tlog-checkpoint format: origin, size and root, then our extension lines. */
export function checkpointText({ orgId, size, root, head, at }: Checkpoint): string {
  return `${originOf(orgId)}\n${size}\n${toBase64(root)}\nhead ${size} ${bytesToHex(head)}\nsigned ${at}\n`;
}

const FORM =
  /^stet\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\n([1-9]\d{0,15})\n(\S{44})\nhead (\d+) ([0-9a-f]{64})\nsigned (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\n$/;

/** Reads text that `checkpointText` wrote; null for any other text. */
export function readCheckpoint(text: string): Checkpoint | null {
  const [, orgId = '', size = '', encoded = '', , head = '', at = ''] = FORM.exec(text) ?? [];
  const root = fromBase64(encoded);
  if (root?.length !== 32) return null;
  const checkpoint = { orgId, size: Number(size), root, head: hexToBytes(head), at };
  return checkpointText(checkpoint) === text ? checkpoint : null;
}

/** Splits a file of checkpoints, separated by empty lines, into notes. */
export function splitNotes(file: string): string[] {
  return file
    .split(/^(?=stet\/)/m)
    .map((note) => note.replace(/\n*$/, '\n'))
    .filter((note) => note !== '\n');
}
