import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { yieldEvery } from '../../kernel/pdf.ts';
import { appendAudit } from '../audit/index.ts';
import { documentOf } from './read-document.ts';
import { writeMarkdown } from './document/write-markdown.ts';
import { writePdf } from './document/write-pdf.ts';

/** Exports a version or draft as a Markdown or PDF file. */
export const exportDocument: Handler<'GET /api/workflows/{key}/versions/{version}/document'> = async (
  { db, openPdf, pdfQueue },
  { actor, params, query, disconnection },
) => {
  const document = await documentOf(db, actor, params);
  const organization = actor.organization?.name ?? '';
  const name = `${params.key}-${document.version === null ? 'draft' : `v${document.version}`}.${query.format}`;
  const disposition = { 'content-disposition': `attachment; filename="${name}"` };
  const form = { locale: query.locale, timeZone: query.timeZone };
  const record = (): Promise<void> =>
    db.transaction(actor, async (tx) =>
      appendAudit(tx, [
        {
          ...auditActor(actor),
          action: 'workflow.exported',
          subject: { type: 'workflow', id: params.key },
          data: { format: query.format, version: document.version, contentHash: document.contentHash },
        },
      ]),
    );
  if (query.format === 'md') {
    await record();
    return answer(Buffer.from(await writeMarkdown(document, yieldEvery())), disposition);
  }
  const disconnected = disconnection();
  const pdf = await pdfQueue.at(
    actor.orgId,
    async () => {
      await record();
      return writePdf(openPdf, document, { organization, by: actor.name, at: Date.now(), form }, disconnected);
    },
    disconnected,
  );
  return answer(pdf, { ...disposition, 'content-type': 'application/pdf' });
};
