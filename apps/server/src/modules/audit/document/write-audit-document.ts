import type { Readable } from 'node:stream';
import type { OpenPdf, Pdf } from '../../../kernel/pdf.ts';
import type { Trail } from '../trail.ts';
import { scopeWords, writeCover } from './cover.ts';
import { writeRun } from './run-part.ts';
import { utc } from './words.ts';

/**
 * Starts writing a trail's audit document: the cover, the contents, and each run with its steps, history and review.
 * `bytes` is the stream of the PDF, and `written` resolves at its end. If writing fails, the stream ends with the
 * error.
 */
export async function writeAuditDocument(
  openPdf: OpenPdf,
  trail: Trail,
): Promise<{ bytes: Readable; written: Promise<void> }> {
  const { org, exportedBy, readAt, head } = trail;
  const pdf = await openPdf({
    title: `Audit trail of ${org.name}`,
    author: exportedBy.name,
    createdAt: readAt,
    runningHead: [org.name, scopeWords(trail)],
    foot: `Exported ${utc(readAt)}, chain head ${head.seq} ${head.hash.slice(0, 16)}`,
  });
  const written = write(pdf, trail).catch((error: unknown) => {
    pdf.bytes.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  });
  return { bytes: pdf.bytes, written };
}

async function write(pdf: Pdf, trail: Trail): Promise<void> {
  await writeCover(pdf, trail);
  for await (const run of trail.runs()) await writeRun(pdf, run, trail.readAt);
  await pdf.finish();
}
