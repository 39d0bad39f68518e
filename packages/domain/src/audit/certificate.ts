import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { canonicalJson } from '../workflows/canonical-json.ts';
import { toBase64 } from './base64.ts';
import type { AuditEvent } from './events.ts';
import { momentText } from './moment.ts';
import { type NoteKey, type Sign, signNote, writeNoteKey } from './note.ts';
import type { Certificate, CertifiedEvent } from './verifier/certificate.ts';

/** Returns an event with its inclusion proof, as a certificate contains it. Null if the event was erased. */
export function certifiedEvent(
  { orgId, seq, at, payload, salt, prev, hash }: AuditEvent,
  proof: readonly Uint8Array[],
): CertifiedEvent | null {
  if (payload === null || salt === null) return null;
  const bytes = { salt: bytesToHex(salt), prev: bytesToHex(prev), hash: bytesToHex(hash) };
  return { orgId, seq, at: momentText(at), payload, ...bytes, proof: proof.map((each) => bytesToHex(each)) };
}

/** Returns the text of a signed certificate: canonical JSON, whose signature covers everything else. */
export function writeCertificate(
  unsigned: Omit<Certificate, 'certificate' | 'key' | 'signature'>,
  key: NoteKey,
  sign: Sign,
): string {
  const certificate = { ...unsigned, certificate: 1 as const, key: writeNoteKey(key) };
  const digest = toBase64(sha256(utf8ToBytes(canonicalJson(certificate))));
  const text = `stet certificate of ${unsigned.organization.id}\n${digest}\n`;
  return canonicalJson({ ...certificate, signature: signNote(text, key, sign) });
}
