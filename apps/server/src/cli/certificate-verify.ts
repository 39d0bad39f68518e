import { inflateSync } from 'node:zlib';
import {
  CERTIFICATE_BEGINS,
  type CertificateInput,
  type CertificateReport,
  verifyCertificate,
} from '@stet/domain/audit';
import { certificateInWords, certificateLimits, certifiedPersonWords } from '@stet/domain/drafts';
import { isolated, visibleText } from '@stet/domain/workflows';
import { onOneLine } from './one-line.ts';

/** True if a file that begins like this can be a certificate, or a PDF with an attached certificate. */
export const beginsCertificate = (begin: string): boolean => /^(?:%PDF-|\u{feff}?\s*\{\s*"certificate")/u.test(begin);

export const isPdf = (begin: string): boolean => begin.startsWith('%PDF-');

/** Returns the text of a file, or of the certificate attached to a PDF. Null if the PDF has none. */
export function certificateIn(file: Buffer): string | null {
  if (isPdf(file.subarray(0, 5).toString('latin1'))) return attachedCertificate(file);
  return file
    .toString('utf8')
    .replace(/^\u{feff}/u, '')
    .trim();
}

const MAX_BYTES = 100 * 1024 * 1024;
const BRACE = '{'.charCodeAt(0);

function attachedCertificate(file: Buffer): string | null {
  const text = file.toString('latin1');
  for (const { index, 0: found } of text.matchAll(/\/EmbeddedFile\b(?:(?!endobj|stream)[^])*stream\r?\n/g)) {
    const from = index + found.length;
    try {
      const data = file.subarray(from, text.indexOf('endstream', from));
      // Programs that save a PDF again may write the stream's entries in any order, so the first byte shows whether the
      // stream is compressed.
      const attached = (data[0] === BRACE ? data : inflateSync(data, { maxOutputLength: MAX_BYTES }))
        .toString('utf8')
        .trim();
      if (attached.startsWith(CERTIFICATE_BEGINS)) return attached;
    } catch {
      // The attachment isn't a certificate, or is damaged.
    }
  }
  return null;
}

/** Reads the organization that a certificate names, for keys without a name. Null if it can't be read. */
export function organizationOfCertificate(text: string): string | null {
  const report = verifyCertificate({ text, keys: [], verifySignature: () => false });
  return report.certificate?.organization.id ?? null;
}

const EXIT_CODES = { intact: 0, tampered: 1, incomplete: 2 } as const;

/** Verifies a certificate. Returns the text to print, and the exit code. */
export function certificateResult(
  input: CertificateInput,
  { asJson, isPdf, hasMacKey }: { asJson: boolean; isPdf: boolean; hasMacKey: boolean },
): { text: string; exitCode: number } {
  const report = verifyCertificate(input);
  const notes = notesOf(report, { isPdf, hasMacKey, hasCheckpoints: (input.checkpoints ?? []).length > 0 });
  // As for an export: if a requested check wasn't possible, the result must not say that the file is valid.
  const isUnproved = report.ok && report.trust === 'none' && (input.checkpoints ?? []).length > 0;
  const exitCode = !report.ok ? EXIT_CODES.tampered : isUnproved ? EXIT_CODES.incomplete : EXIT_CODES.intact;
  return { text: asJson ? json(report, isUnproved) : inWords(report, { notes, isUnproved }), exitCode };
}

function json(report: CertificateReport, isUnproved: boolean): string {
  const result = report.ok
    ? {
        verdict: isUnproved ? 'incomplete' : 'intact',
        trust: report.trust,
        sealed: { size: report.checkpoint.size, at: report.checkpoint.at },
        organization: report.certificate.organization,
        facts: report.facts,
        groups: report.groups,
        delegators: report.delegators,
      }
    : { verdict: 'tampered', problem: report.problem };
  return `${JSON.stringify(result, null, 2)}\n`;
}

function inWords(
  report: CertificateReport,
  { notes, isUnproved }: { notes: readonly string[]; isUnproved: boolean },
): string {
  if (!report.ok) return `REFUSED: ${onOneLine(visibleText(report.problem.sentence))}\n`;
  const { certificate, facts, groups, delegators, checkpoint, trust } = report;
  const { organization, issued } = certificate;
  const size = checkpoint.size;
  const { proved, stated } = certificateLimits(size);
  const when = (at: string): string => `${visibleText(at.slice(0, 19)).replace('T', ' ')} UTC`;
  const rows: (readonly [string, readonly string[]])[] = [
    ['Organization', [`${isolated(visibleText(organization.name))} (${visibleText(organization.id)})`]],
    ['Workflow', [`${visibleText(facts.key)}, version ${facts.version}`]],
    ...certificateInWords(facts, { size, groups, delegators, when }),
    ['Issued', [`${visibleText(issued.at)} by ${certifiedPersonWords(issued.by)}`]],
    ['Sealed', [`checkpoint of ${size} events, signed ${visibleText(checkpoint.at)}`]],
  ];
  const verdict = isUnproved ? 'INCOMPLETE' : trust === 'none' ? 'Consistent' : 'Valid';
  const lines = [
    `${verdict}: every fact follows from the events.`,
    ...rows.flatMap(([label, values]) =>
      values.map((value, n) => `${(n === 0 ? label : '').padEnd(14)}${onOneLine(value)}`),
    ),
    `Proved: ${proved}`,
    `Stated: ${stated}`,
    ...notes,
  ];
  return `${lines.join('\n')}\n`;
}

function notesOf(
  report: CertificateReport,
  { isPdf, hasMacKey, hasCheckpoints }: { isPdf: boolean; hasMacKey: boolean; hasCheckpoints: boolean },
): string[] {
  if (!report.ok) return [];
  const { size } = report.checkpoint;
  return [
    ...(isPdf ? ['Checked: the certificate attached to the PDF. Compare the pages of the PDF with these lines.'] : []),
    ...(hasMacKey ? ['MACs were not checked, because a certificate contains none.'] : []),
    ...(hasCheckpoints && !report.isSaved
      ? [`None of the given checkpoints covers exactly ${size} events of this organization, so none was compared.`]
      : []),
    ...(report.trust === 'none'
      ? [
          'Only consistency was checked, not origin: the key comes from the file itself, so a forger could have supplied it.',
          'Use --key with a key from elsewhere.',
        ]
      : []),
  ];
}
