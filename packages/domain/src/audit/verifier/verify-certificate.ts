import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import type { Checkpoint } from '../checkpoint.ts';
import type { NoteKey, VerifySignature } from '../note.ts';
import { areSame, bytesOfBase64, bytesOfHex, canonicalText } from './bytes.ts';
import { type ClaimProblem, claimProblem } from './certificate-claims.ts';
import { type CertifiedFacts, factsOf, isAboutVersion } from './certificate-facts.ts';
import { type CertifiedDelegator, type CertifiedGroup, delegatorsOf, groupsOf } from './certified-groups.ts';
import {
  type Certificate,
  type CertifiedEvent,
  type FormProblem,
  certificateDigest,
  eventOf,
  factEventOf,
  readCertificate,
  signedText,
} from './certificate.ts';
import { problemOf } from './events.ts';
import { rootOfProof } from './inclusion.ts';
import { checkpointOf, keyOfText, textOfNote } from './notes.ts';

/** The reason why a certificate is refused. */
export type CertificateProblem =
  | FormProblem
  | ClaimProblem
  | {
      code:
        | 'key'
        | 'checkpoint'
        | 'organization'
        | 'rewritten'
        | 'event_organization'
        | 'event_order'
        | 'event_unsealed'
        | 'event_altered'
        | 'proof_length'
        | 'proof'
        | 'event_of_other_version'
        | 'event_of_other_workflow'
        | 'not_merged'
        | 'content'
        | 'signature';
      sentence: string;
    };

export type CertificateInput = {
  text: string;
  /** Trusted keys. If there are none, the certificate's own key is used, which can't reveal a forgery. */
  keys: readonly NoteKey[];
  /** Checkpoints saved elsewhere. One of the same size as the certificate's proves its origin. */
  checkpoints?: readonly string[];
  verifySignature: VerifySignature;
};

/** `trust` is the proof of origin, as in the report about an export. */
export type CertificateReport =
  | { ok: false; problem: CertificateProblem; certificate: Certificate | null }
  | {
      ok: true;
      certificate: Certificate;
      facts: CertifiedFacts;
      /** The groups that had to approve the version. */
      groups: CertifiedGroup[];
      /** The people for whom others acted as their delegates. */
      delegators: CertifiedDelegator[];
      checkpoint: Checkpoint;
      trust: 'key' | 'checkpoints' | 'none';
      /** Whether one of the given checkpoints has the size of the certificate's checkpoint, and the same root. */
      isSaved: boolean;
    };

/**
 * Verifies the certificate of a version. The checkpoint must have a valid signature and cover each event. The content
 * and every fact must follow from the events, and the certificate must not have changed since it was issued. Stops at
 * the first problem.
 */
export function verifyCertificate({
  text,
  keys: given,
  checkpoints = [],
  verifySignature,
}: CertificateInput): CertificateReport {
  const read = readCertificate(text);
  if (!read.ok) return { ok: false, problem: { code: read.code, sentence: read.sentence }, certificate: null };
  const { certificate } = read;
  const refused = (code: CertificateProblem['code'], sentence: string): CertificateReport => ({
    ok: false,
    problem: { code, sentence } as CertificateProblem,
    certificate,
  });
  const { organization, events, content } = certificate;
  const own = keyOfText(certificate.key);
  if (!own) return refused('key', 'The certificate contains no valid key.');
  const isSameKey = ({ name, publicKey }: NoteKey): boolean => name === own.name && areSame(publicKey, own.publicKey);
  if (given.length > 0 && !given.some(isSameKey))
    return refused('key', 'The certificate was signed with a key that is not one of the given keys.');

  const checkpointText = textOfNote(certificate.checkpoint, [own], verifySignature);
  const checkpoint = checkpointText === null ? null : checkpointOf(checkpointText);
  if (!checkpoint) return refused('checkpoint', 'The checkpoint has no valid signature by the certificate’s key.');
  if (checkpoint.orgId !== organization.id || own.name !== `stet/${organization.id}`)
    return refused('organization', 'The checkpoint belongs to another organization than the certificate claims.');
  const saved = checkpoints.flatMap((note) => {
    const opened = textOfNote(note, given.length > 0 ? given : [own], verifySignature);
    const one = opened === null ? null : checkpointOf(opened);
    return one?.orgId === organization.id && one.size === checkpoint.size ? [one] : [];
  });
  if (saved.some(({ root }) => !areSame(root, checkpoint.root)))
    return refused('rewritten', 'The checkpoint differs from the given one of the same size: the trail was rewritten.');

  const eventProblem = problemOfEvents(events, checkpoint);
  if (eventProblem) return refused(eventProblem.code, eventProblem.sentence);

  const { versionId, key } = certificate.facts;
  const factEvents = events.flatMap((event) => factEventOf(event) ?? []);
  const other = factEvents.find(({ record }) => record.data['key'] !== undefined && record.data['key'] !== key);
  const facts = factsOf(factEvents, versionId);
  // A wrong workflow key is a false claim if all events agree on another one.
  if (other && facts && facts.key === key)
    return refused('event_of_other_workflow', `Event ${other.seq} is about another workflow.`);
  if (!facts) return refused('not_merged', 'No event in the certificate merged this version.');
  const foreign = factEvents.find(({ record }) => !isAboutVersion(record, { versionId, key: facts.key }));
  if (foreign) return refused('event_of_other_version', `Event ${foreign.seq} is not about version ${facts.version}.`);

  const claim = claimProblem(certificate.facts, facts);
  if (claim) return refused(claim.code, claim.sentence);
  if (bytesToHex(sha256(utf8ToBytes(canonicalText(content)))) !== facts.contentHash)
    return refused('content', `The content differs from the content that was merged in event ${facts.merged.seq}.`);
  if (!isSigned(certificate, own, verifySignature))
    return refused('signature', 'The certificate was changed after it was issued: its signature does not match.');
  const trust = given.length > 0 ? 'key' : saved.length > 0 ? 'checkpoints' : 'none';
  return {
    ok: true,
    certificate,
    facts,
    groups: groupsOf(factEvents, versionId),
    delegators: delegatorsOf(factEvents),
    checkpoint,
    trust,
    isSaved: saved.length > 0,
  };
}

type EventProblem = { code: CertificateProblem['code']; sentence: string };

function problemOfEvents(events: readonly CertifiedEvent[], { orgId, size, root }: Checkpoint): EventProblem | null {
  let last = 0;
  const unsealed = events.find(({ seq }) => seq > size);
  if (unsealed) {
    const sentence = `The checkpoint covers ${size} events, so it does not cover event ${unsealed.seq}.`;
    return { code: 'event_unsealed', sentence };
  }
  for (const certified of events) {
    const { seq } = certified;
    if (certified.orgId !== orgId)
      return { code: 'event_organization', sentence: `Event ${seq} belongs to another organization.` };
    if (seq <= last) return { code: 'event_order', sentence: `Event ${seq} is repeated or out of order.` };
    last = seq;
    const event = eventOf(certified);
    const before = { seq: seq - 1, hash: null, at: -(2n ** 63n) };
    if (!event || problemOf(event, before, orgId) !== null)
      return { code: 'event_altered', sentence: `Event ${seq} differs from what was recorded.` };
    const proof = certified.proof.flatMap((hash) => bytesOfHex(hash) ?? []);
    const proved = rootOfProof(event.hash, { index: seq - 1, size, proof });
    if (proved === null)
      return { code: 'proof_length', sentence: `The proof of event ${seq} has the wrong length for ${size} events.` };
    if (!areSame(proved, root))
      return { code: 'proof', sentence: `The proof of event ${seq} does not lead to the checkpoint’s root.` };
  }
  return null;
}

function isSigned(certificate: Certificate, key: NoteKey, verifySignature: VerifySignature): boolean {
  const text = textOfNote(certificate.signature, [key], verifySignature);
  const [, encoded = ''] = text?.split('\n') ?? [];
  const digest = bytesOfBase64(encoded);
  return (
    text === signedText(certificate.organization.id, encoded) &&
    digest !== null &&
    areSame(digest, certificateDigest(certificate))
  );
}
