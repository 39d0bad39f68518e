import { buffer } from 'node:stream/consumers';
import { type Certificate, type CertifiedDelegator, type CertifiedGroup, factEventOf } from '@stet/domain/audit';
import { certificateInWords, certificateLimits } from '@stet/domain/drafts';
import { type WorkflowContent, displayTitle, isolated } from '@stet/domain/workflows';
import { type DateForm, readerDates } from '@stet/presentation/reader-dates';
import { type Block, type OpenPdf, type Pdf, endWith } from '../../../kernel/pdf.ts';
import { writeContent } from './write-pdf.ts';

type Issued = {
  certificate: Certificate;
  /** The certificate's JSON, which is attached to the PDF. */
  text: string;
  /** The number of events that the checkpoint covers. */
  size: number;
  /** The groups that had to approve the version. */
  groups: readonly CertifiedGroup[];
  /** The people for whom others acted as delegates. */
  delegators: readonly CertifiedDelegator[];
};

/**
 * Writes a certificate as a PDF: the certified facts, the events that prove them, how to verify them, and the version's
 * content. The certificate itself is attached. Rejects once `signal` is aborted.
 */
export async function writeCertificatePdf(
  openPdf: OpenPdf,
  issued: Issued,
  form: DateForm,
  signal: AbortSignal,
): Promise<Buffer> {
  const { facts, organization, issued: by, content } = issued.certificate;
  const { metadata } = content as WorkflowContent;
  const title = displayTitle(facts.key, metadata.title);
  const { moment } = readerDates(form);
  const pdf = await openPdf({
    title: `Certificate for ${title}, version ${facts.version}`,
    author: organization.name,
    createdAt: Date.parse(by.at),
    runningHead: [`Certificate for ${title}, v${facts.version}`, facts.contentHash.slice(0, 16)],
    foot: `Issued ${moment(by.at)} (${by.at}) by ${isolated(by.by.name)}`,
  });
  endWith(pdf.bytes, signal);
  const [bytes] = await Promise.all([
    buffer(pdf.bytes),
    write(pdf, issued, { title, moment, timeZone: form.timeZone }),
  ]);
  return bytes;
}

async function write(
  pdf: Pdf,
  { certificate, text, size, groups, delegators }: Issued,
  { title, moment, timeZone }: { title: string; moment: (at: string) => string; timeZone: string },
): Promise<void> {
  const { facts, organization, content, events, key, checkpoint } = certificate;
  const { metadata, steps } = content as WorkflowContent;
  const name = `${facts.key}-v${facts.version}-certificate.json`;
  const description = 'The certificate that stet audit verify checks';
  pdf.attach({ name, type: 'application/json', description, bytes: Buffer.from(text) });
  pdf.newPage();
  pdf.mark('certificate', `Certificate of version ${facts.version}`);
  await pdf.text({ text: organization.name, style: 'body', ink: 'meta' });
  pdf.space(4);
  await pdf.heading(1, { text: title, style: 'display' }, { indent: 0 });
  await pdf.text({ text: `Certificate of version ${facts.version} (${facts.key})`, style: 'title', ink: 'second' });
  pdf.space(12);
  const lines = certificateInWords(facts, { size, groups, delegators, when: moment });
  await pdf.facts(
    lines.map(([label, values]) => [
      label,
      values.map((value): Block => ({ text: value, style: label === 'Content hash' ? 'code' : 'body' })),
    ]),
  );
  pdf.space(10);
  pdf.hairline();
  pdf.space(10);
  pdf.mark('proof', 'What this proves');
  await pdf.heading(2, { text: 'What this proves', style: 'subtitle' });
  const { proved, stated } = certificateLimits(size);
  const times = `Times above are in the time zone ${timeZone}. The events below have their recorded times in UTC.`;
  for (const line of [proved, stated, times, howToVerify(name)]) {
    pdf.space(4);
    await pdf.text({ text: line, style: 'small' });
  }
  pdf.space(8);
  const table = await pdf.table([
    { head: 'Event', share: 10, align: 'right' },
    { head: 'Recorded (UTC)', share: 34 },
    { head: 'Action', share: 30 },
    { head: 'Hash', share: 26 },
  ]);
  for (const event of events)
    await table.row([
      { text: String(event.seq), style: 'body', ink: 'meta' },
      { text: event.at.slice(0, 19).replace('T', ' '), style: 'code' },
      { text: factEventOf(event)?.record.action ?? '', style: 'body' },
      { text: event.hash.slice(0, 16), style: 'code' },
    ]);
  pdf.space(8);
  await pdf.facts([
    [
      'Checkpoint',
      checkpoint.split('\n').flatMap((line): Block[] => (line === '' ? [] : [{ text: line, style: 'code' }])),
    ],
    ['Key', { text: key, style: 'code' }],
  ]);

  pdf.newPage();
  pdf.mark('content', 'Content');
  await pdf.heading(2, { text: 'Content', style: 'title' });
  pdf.space(8);
  await writeContent(pdf, { metadata, steps });
  await pdf.finish();
}

const howToVerify = (name: string): string =>
  `To verify it without this server, save the attached file ${name} and run: npm run -s stet -- audit verify ${name} --key FILE. FILE contains the organization’s key, from the Audit page or from the operator of the server. Verification covers the attached file, not the pages of this PDF: compare them with the output.`;
