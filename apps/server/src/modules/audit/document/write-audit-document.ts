import type { Readable } from 'node:stream';
import type { DateForm } from '@stet/presentation/reader-dates';
import type { OpenPdf, Pdf } from '../../../kernel/pdf.ts';
import type { Trail } from '../trail.ts';
import { scopeWords, writeCover } from './cover.ts';
import { writeRun } from './run-part.ts';
import { type Times, timesFor, utc } from './words.ts';

/**
 * Starts writing a trail's audit document: the cover, the index of runs, and each run with its steps, history and
 * review. Times are shown in the reader's format, with the exact times in small print. `bytes` is the stream of the
 * PDF, and `written` resolves at its end. If writing fails, the stream ends with the error.
 */
export async function writeAuditDocument(
  openPdf: OpenPdf,
  trail: Trail,
  form: DateForm,
): Promise<{ bytes: Readable; written: Promise<void> }> {
  const { org, exportedBy, readAt, head } = trail;
  const times = timesFor(form);
  const pdf = await openPdf({
    title: `Audit trail of ${org.name}`,
    author: exportedBy.name,
    createdAt: readAt,
    runningHead: [org.name, scopeWords(trail, times)],
    foot: `Exported ${times.inWords(readAt)} (${utc(readAt)}), chain head ${head.seq} ${head.hash.slice(0, 16)}`,
  });
  const written = write(pdf, trail, times).catch((error: unknown) => {
    pdf.bytes.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  });
  return { bytes: pdf.bytes, written };
}

async function write(pdf: Pdf, trail: Trail, times: Times): Promise<void> {
  await writeCover(pdf, trail, times);
  const isMany = trail.counts.runs > 1;
  const reviewed = new Set<string>();
  let isFirst = true;
  for await (const run of trail.runs()) {
    if (isFirst) pdf.newPage();
    if (isFirst && isMany) pdf.mark('runs', 'Runs');
    await writeRun(pdf, run, { now: trail.readAt, times, reviewed, isFirst, level: isMany ? 2 : 1 });
    isFirst = false;
  }
  await pdf.finish();
}
