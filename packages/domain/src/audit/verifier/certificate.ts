import type { AuditEvent } from '../events.ts';
import { bytesOfHex, canonicalText } from './bytes.ts';
import type { CertifiedFacts, FactEvent, FactRecord } from './certificate-facts.ts';
import { sha256 } from '@noble/hashes/sha2';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils';
import { microseconds } from './lines.ts';

/** How every certificate begins, because its members are in canonical order. */
export const CERTIFICATE_BEGINS = '{"certificate":1,';

/** An event with the proof that a checkpoint covers it. Bytes are in lower-case hex. */
export type CertifiedEvent = {
  orgId: string;
  seq: number;
  /** ISO 8601 in UTC with microseconds. */
  at: string;
  /** Canonical JSON of the record, hashed as is. */
  payload: string;
  salt: string;
  prev: string;
  hash: string;
  /** The inclusion proof (RFC 9162), from the leaf to the root. */
  proof: string[];
};

/** The certificate of a version. The file is its canonical JSON (RFC 8785). */
export type Certificate = {
  /** The version of the format. */
  certificate: 1;
  organization: { id: string; name: string };
  issued: { at: string; by: { id: string; name: string; email: string } };
  content: { metadata: unknown; steps: unknown };
  /** The part that follows from the events; a verifier derives it again. */
  facts: CertifiedFacts;
  events: CertifiedEvent[];
  /** The signed checkpoint that covers the events. */
  checkpoint: string;
  /** The key that signed the checkpoint and the certificate, in the format of `writeNoteKey`. */
  key: string;
  /** A signed note over everything else. */
  signature: string;
};

/** Returns the text that a certificate's signature signs, with the digest in base64. */
export const signedText = (orgId: string, digest: string): string => `stet certificate of ${orgId}\n${digest}\n`;

/** Returns the digest that a certificate's signature covers: SHA-256 of the canonical JSON of all other fields. */
export function certificateDigest(certificate: Certificate): Uint8Array {
  const rest = Object.fromEntries(Object.entries(certificate).filter(([name]) => name !== 'signature'));
  return sha256(utf8ToBytes(canonicalText(rest)));
}

type Fields = Readonly<Record<string, unknown>>;
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const areTexts = (fields: Fields, ...names: string[]): boolean =>
  names.every((name) => typeof fields[name] === 'string');

/** A problem with the form of a certificate. */
export type FormProblem = { code: 'unreadable' | 'unknown_field'; sentence: string };
const unreadable = (sentence: string): FormProblem => ({ code: 'unreadable', sentence });

const MEMBERS: readonly (readonly [path: string, names: readonly string[]])[] = [
  ['', 'certificate organization issued content facts events checkpoint key signature'.split(' ')],
  ['organization', ['id', 'name']],
  ['issued', ['at', 'by']],
  ['content', ['metadata', 'steps']],
];
const EVENT = 'orgId seq at payload salt prev hash proof'.split(' ');

/** Parses a certificate. It has to be canonical JSON without unknown fields. */
export function readCertificate(text: string): { ok: true; certificate: Certificate } | ({ ok: false } & FormProblem) {
  let value: unknown;
  try {
    value = JSON.parse(text);
    if (!isFields(value) || canonicalText(value) !== text)
      return { ok: false, ...unreadable('The file is not in the canonical form of a certificate.') };
  } catch {
    return { ok: false, ...unreadable('The file is not a certificate.') };
  }
  const problem = formProblem(value);
  return problem ? { ok: false, ...problem } : { ok: true, certificate: value as unknown as Certificate };
}

function formProblem(value: Fields): FormProblem | null {
  const { certificate, organization, issued, content, facts, events } = value;
  if (certificate !== 1) return unreadable('The certificate has a format that this version of stet does not know.');
  if (!isFields(organization) || !isFields(issued) || !isFields(content) || !isFields(facts) || !Array.isArray(events))
    return unreadable('Parts of the certificate are missing.');
  for (const [path, names] of MEMBERS) {
    const problem = membersProblem(path === '' ? value : (value[path] as Fields), names, path || 'certificate');
    if (problem) return problem;
  }
  const { by } = issued;
  if (!isFields(by)) return unreadable('Parts of the certificate are missing.');
  const problem = membersProblem(by, ['id', 'name', 'email'], 'issued.by');
  if (problem) return problem;
  const isText =
    areTexts(value, 'checkpoint', 'key', 'signature') &&
    areTexts(organization, 'id', 'name') &&
    areTexts(issued, 'at') &&
    areTexts(by, 'id', 'name', 'email') &&
    areTexts(facts, 'versionId', 'key');
  if (!isText) return unreadable('Parts of the certificate have the wrong type.');
  for (const [n, event] of events.entries()) {
    if (!isFields(event)) return unreadable('Parts of the certificate have the wrong type.');
    const wrong = membersProblem(event, EVENT, `events[${n}]`);
    if (wrong) return wrong;
    const { seq, proof } = event;
    const isEvent =
      areTexts(event, 'orgId', 'at', 'payload', 'salt', 'prev', 'hash') &&
      Number.isSafeInteger(seq) &&
      Array.isArray(proof) &&
      proof.every((hash: unknown) => bytesOfHex(hash)?.length === 32);
    if (!isEvent) return unreadable(`events[${n}] is not in the form of an event.`);
  }
  return null;
}

function membersProblem(value: Fields, names: readonly string[], path: string): FormProblem | null {
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined)
    return { code: 'unknown_field', sentence: `${path} contains “${unknown}”, which no certificate has.` };
  const missing = names.find((name) => !Object.hasOwn(value, name));
  return missing === undefined ? null : unreadable(`${path} has no “${missing}”.`);
}

/** Returns the event in the form that its hash covers; null if its fields can't be read. */
export function eventOf({ orgId, seq, at, payload, salt, prev, hash }: CertifiedEvent): AuditEvent | null {
  const moment = microseconds(at);
  const [saltBytes, prevBytes, hashBytes] = [bytesOfHex(salt), bytesOfHex(prev), bytesOfHex(hash)];
  const record = recordOf(payload);
  if (moment === null || !saltBytes || !prevBytes || !hashBytes || !record) return null;
  const { actor, action, subject, runId = null } = record;
  return {
    orgId,
    seq,
    at: moment,
    actor: String(actor['id']),
    action,
    subjectType: subject.type,
    subjectId: subject.id,
    runId,
    payload,
    salt: saltBytes,
    digest: sha256(concatBytes(saltBytes, utf8ToBytes(payload))),
    prev: prevBytes,
    hash: hashBytes,
    mac: null,
  };
}

/** Returns the event in the form from which facts are derived; null if its payload is not a record. */
export function factEventOf({ seq, at, payload }: Pick<CertifiedEvent, 'seq' | 'at' | 'payload'>): FactEvent | null {
  const record = recordOf(payload);
  return record && { seq, at, record };
}

function recordOf(payload: string): (FactRecord & { runId?: string | null }) | null {
  try {
    const value: unknown = JSON.parse(payload);
    if (!isFields(value)) return null;
    const { actor, action, subject, data = {}, runId } = value;
    if (!isFields(actor) || !isFields(subject) || !isFields(data) || typeof action !== 'string') return null;
    const { type, id } = subject;
    if (typeof type !== 'string' || typeof id !== 'string') return null;
    return { actor, action, subject: { type, id }, data, ...(typeof runId === 'string' && { runId }) };
  } catch {
    return null;
  }
}
