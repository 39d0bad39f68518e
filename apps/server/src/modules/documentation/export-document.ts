import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { openBoundedQueue } from '../../kernel/bounded.ts';
import { breather } from '../../kernel/breather.ts';
import { documentOf } from './read-document.ts';
import { writeMarkdown } from './document/write-markdown.ts';
import { writePdf } from './document/write-pdf.ts';

// A document is large while it is made: it is their number that bounds the memory.
const inTurnOfTwo = openBoundedQueue(2);

/** A version or draft as a file: Markdown or PDF. */
export const exportDocument: Handler<'GET /api/workflows/{key}/versions/{version}/document'> = async (
  { db, openPdf },
  { actor, params, query },
) => {
  const document = await documentOf(db, actor, params);
  const organization = actor.organizations.find(({ id }) => id === actor.orgId)?.name ?? '';
  const name = `${params.key}-${document.version === null ? 'draft' : `v${document.version}`}.${query.format}`;
  const disposition = { 'content-disposition': `attachment; filename="${name}"` };
  if (query.format === 'md') return answer(Buffer.from(await writeMarkdown(document, breather())), disposition);
  const pdf = await inTurnOfTwo(() => writePdf(openPdf, document, { organization, by: actor.name, at: Date.now() }));
  return answer(pdf, { ...disposition, 'content-type': 'application/pdf' });
};
