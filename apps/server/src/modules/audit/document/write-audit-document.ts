import type { OpenPdf } from '../../../kernel/pdf.ts';
import type { Trail } from '../trail.ts';
import { scopeWords, writeCover } from './cover.ts';
import { writeRun } from './run-part.ts';
import { utc } from './words.ts';

/** The audit document of what was read: cover, contents, each run with its steps, history and review. The bytes of a PDF. */
export async function writeAuditDocument(openPdf: OpenPdf, trail: Trail): Promise<Buffer> {
  const { org, exportedBy, readAt, runs, head } = trail;
  const pdf = await openPdf({
    title: `Audit trail of ${org.name}`,
    author: exportedBy.name,
    createdAt: readAt,
    runningHead: [org.name, scopeWords(trail)],
    foot: `Exported ${utc(readAt)}, chain head ${head.seq} ${head.hash.slice(0, 16)}`,
  });
  await writeCover(pdf, trail);
  for (const run of runs) await writeRun(pdf, run, readAt);
  return pdf.finish();
}
