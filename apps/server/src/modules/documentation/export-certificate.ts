import {
  type Certificate,
  type CertifiedDelegator,
  type CertifiedEvent,
  type CertifiedGroup,
  factEventOf,
  factsOf,
  isAboutVersion,
  verifyCertificate,
  writeCertificate,
} from '@stet/domain/audit';
import type { Handler } from '../../http/handler.ts';
import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit, certifyEvents, verifyEd25519 } from '../audit/index.ts';
import { versionOf } from '../workflows/index.ts';
import { findCertifiedVersion } from './documentation.sql.ts';
import { writeCertificatePdf } from './document/write-certificate-pdf.ts';

/**
 * Issues the certificate of a merged version, as JSON or as a PDF that contains it. First the issue is recorded, and
 * then all events are sealed, so that the checkpoint covers them.
 */
export const exportCertificate: Handler<'GET /api/workflows/{key}/versions/{version}/certificate'> = async (
  deps,
  { actor, params, query, disconnection },
) => {
  const name = (version: number): string => `${params.key}-v${version}-certificate.${query.format}`;
  const disposition = (version: number): Record<string, string> => ({
    'content-disposition': `attachment; filename="${name(version)}"`,
  });
  const form = { locale: query.locale, timeZone: query.timeZone };
  if (query.format === 'json') {
    const { text, certificate } = await issue(deps, actor, params, 'json');
    return answer(Buffer.from(text), disposition(certificate.facts.version));
  }
  const disconnected = disconnection();
  const { pdf, version } = await deps.pdfQueue.at(
    actor.orgId,
    async () => {
      const issued = await issue(deps, actor, params, 'pdf');
      const bytes = await writeCertificatePdf(deps.openPdf, issued, form, disconnected);
      return { pdf: bytes, version: issued.certificate.facts.version };
    },
    disconnected,
  );
  return answer(pdf, { ...disposition(version), 'content-type': 'application/pdf' });
};

/**
 * A certificate, its text in the form that is verified, and the number of events that its checkpoint covers (`size`).
 * Also the groups that had to approve the version, and the people for whom others acted as delegates.
 */
type IssuedCertificate = {
  text: string;
  certificate: Certificate;
  size: number;
  groups: CertifiedGroup[];
  delegators: CertifiedDelegator[];
};

async function issue(
  deps: Deps,
  actor: OrgActor,
  params: { key: string; version: string | number },
  format: 'json' | 'pdf',
): Promise<IssuedCertificate> {
  const { orgId } = actor;
  const { key } = params;
  const row = await deps.db.transaction(actor, async (tx) => {
    const found = await tx.maybeOne(findCertifiedVersion, { orgId, key, ...versionOf(params) });
    if (!found) throw new Refused({ code: 'not_found', what: 'version' });
    appendAudit(tx, [
      {
        ...auditActor(actor),
        action: 'workflow.exported',
        subject: { type: 'workflow', id: key },
        data: { format: `certificate.${format}`, version: found.version, versionId: found.id },
      },
    ]);
    return found;
  });
  const versionId = row.id;
  const trail = await certifyEvents(deps, { orgId, workflowId: row.workflow_id, versionId }, takenBy(key, versionId));
  if (!trail) throw new Refused({ code: 'no_certificate', because: 'broken_trail' });
  const { organization, events, checkpoint, at } = trail;
  const facts = factsOf(
    events.flatMap((event) => factEventOf(event) ?? []),
    versionId,
  );
  if (!facts) throw new Refused({ code: 'no_certificate', because: 'unrecorded' });
  // If the facts and the row disagree, either an event was hidden in the database, or the version has just changed. In
  // the second case, the row agrees with the facts when it is read again.
  const isInForce = facts.periods.at(-1)?.until === null;
  if (row.is_in_force !== isInForce) {
    const again = await deps.db.transaction(actor, (tx) =>
      tx.maybeOne(findCertifiedVersion, { orgId, key, ...versionOf({ version: versionId }) }),
    );
    if (again?.is_in_force !== isInForce) throw new Refused({ code: 'no_certificate', because: 'broken_trail' });
  }
  const own = deps.auditSigner.keyOf(orgId);
  const text = writeCertificate(
    {
      organization,
      issued: { at: at.toISOString(), by: { id: actor.userId, name: actor.name, email: actor.email } },
      content: { metadata: row.metadata, steps: row.steps },
      facts,
      events,
      checkpoint,
    },
    own,
    deps.auditSigner.sign,
  );
  // A certificate that a verifier would refuse must not be issued.
  const report = verifyCertificate({ text, keys: [own], verifySignature: verifyEd25519 });
  if (report.ok) {
    const { groups, delegators, checkpoint: covering } = report;
    return { text, certificate: report.certificate, size: covering.size, groups, delegators };
  }
  deps.log.error({ versionId, problem: report.problem }, 'could not issue a certificate');
  throw new Refused({
    code: 'no_certificate',
    because: report.problem.code === 'content' ? 'altered' : 'broken_trail',
  });
}

/**
 * Selects the events that a version's certificate contains. If an author saved several times, only the first save is
 * needed.
 */
function takenBy(key: string, versionId: string): (event: CertifiedEvent) => boolean {
  const authors = new Set<string>();
  return (event) => {
    const fact = factEventOf(event);
    if (fact === null || !isAboutVersion(fact.record, { versionId, key })) return false;
    const { action, actor } = fact.record;
    if (action !== 'draft.saved') return true;
    const id = String(actor['id']);
    const isFirst = !authors.has(id);
    authors.add(id);
    return isFirst;
  };
}
