import { contentHash } from '../workflows/content-hash.ts';
import type { AuditEvent, AuditRecord } from './events.ts';
import { ORG } from './audit.arbitrary.ts';
import { checkpointOver, KEY } from './bundle.arbitrary.ts';
import { certifiedEvent, writeCertificate } from './certificate.ts';
import { inclusionProofRanges, merkleRoot } from './merkle.ts';
import type { NoteKey } from './note.ts';
import { signerOf } from './signing.arbitrary.ts';
import { factEventOf, type CertifiedEvent } from './verifier/certificate.ts';
import { factsOf, isAboutVersion } from './verifier/certificate-facts.ts';

/** Test support: the people of a certified version, one with a right-to-left name. */
export const PRIYA = { kind: 'user', id: 'user-priya', name: 'Priya Nair', email: 'priya@example.com' } as const;
export const GRETA = { kind: 'user', id: 'user-greta', name: 'Greta Holm', email: 'greta@example.com' } as const;
export const YAEL = { kind: 'user', id: 'user-yael', name: 'יעל כהן', email: 'yael@example.com' } as const;

export const contentTitled = (title: string) => ({ metadata: { title, description: '' }, steps: [] });
type Content = ReturnType<typeof contentTitled>;
export const hashOf = (content: Content): string => contentHash(content);

/** Test support: returns a trail's event with its inclusion proof in the tree of `size` events. */
export function withProof(trail: readonly AuditEvent[], event: AuditEvent, size = trail.length): CertifiedEvent {
  const proof = inclusionProofRanges(event.seq - 1, size).map(({ from, to }) =>
    merkleRoot(trail.slice(from, to).map(({ hash }) => hash)),
  );
  const certified = certifiedEvent(event, proof);
  if (!certified) throw new Error('an erased event');
  return certified;
}

/** Test support: returns the certificate that a server issues for a version. */
export function issued(
  trail: readonly AuditEvent[],
  {
    versionId,
    key = 'expenses',
    content,
    size = trail.length,
    signer = KEY,
  }: { versionId: string; key?: string; content: Content; size?: number; signer?: NoteKey },
): string {
  const events = trail
    .slice(0, size)
    .filter((event) => {
      const fact = factEventOf({ seq: event.seq, at: '', payload: event.payload ?? '' });
      return fact !== null && isAboutVersion(fact.record, { versionId, key });
    })
    .map((event) => withProof(trail, event, size));
  const facts = factsOf(
    events.flatMap((event) => factEventOf(event) ?? []),
    versionId,
  );
  if (!facts) throw new Error('the version was not merged');
  return writeCertificate(
    {
      organization: { id: ORG, name: 'Halden Works' },
      issued: { at: '2026-11-22T00:00:00.000Z', by: { id: PRIYA.id, name: PRIYA.name, email: PRIYA.email } },
      content,
      facts,
      events,
      checkpoint: checkpointOver(trail, size, signer),
    },
    signer,
    signerOf(signer.publicKey),
  );
}

type Data = Record<string, unknown>;
const onVersion = (id: string) => ({ type: 'version', id }) as const;
const flow = { type: 'workflow', id: 'flow-1' } as const;

/** Test support: the events of a version. */
export const records = {
  created: (id: string, content: Content, data: Data = {}, actor = PRIYA as AuditRecord['actor']): AuditRecord => ({
    actor,
    action: 'draft.created',
    subject: onVersion(id),
    data: { key: 'expenses', contentHash: hashOf(content), ...data },
  }),
  submitted: (id: string, summary: string | null = 'Two approvers above 5,000 EUR'): AuditRecord => ({
    actor: PRIYA,
    action: 'draft.submitted',
    subject: onVersion(id),
    data: { key: 'expenses', summary },
  }),
  approved: (id: string, content: Content, actor: AuditRecord['actor'] = GRETA, data: Data = {}): AuditRecord => ({
    actor,
    action: 'draft.approved',
    subject: onVersion(id),
    data: { key: 'expenses', contentHash: hashOf(content), addressProvedBy: 'mailbox', ...data },
  }),
  merged: (id: string, version: number, content: Content, data: Data = {}): AuditRecord => ({
    actor: GRETA,
    action: 'draft.merged',
    subject: onVersion(id),
    data: {
      key: 'expenses',
      version,
      contentHash: hashOf(content),
      replaces: null,
      requiredApprovals: 1,
      strictReview: false,
      approvals: [{ reviewerId: GRETA.id, marks: [] }],
      ...data,
    },
  }),
  rolledBack: (fromVersionId: string, toVersionId: string, data: Data = {}): AuditRecord => ({
    actor: GRETA,
    action: 'version.rolled_back',
    subject: flow,
    data: { key: 'expenses', fromVersionId, toVersionId, reason: null, ...data },
  }),
  noise: (n: number): AuditRecord => ({
    actor: YAEL,
    action: 'session.signed_in',
    subject: { type: 'user', id: YAEL.id },
    data: { n },
  }),
};
