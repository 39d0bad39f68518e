import { readFileSync } from 'node:fs';
import {
  type BundleReport,
  type NoteKey,
  findingInWords,
  originOf,
  readBundleLine,
  readNoteKey,
  splitNotes,
  verifyBundle,
  fromBase64,
} from '@stet/domain/audit';
import { verifyEd25519 } from '../kernel/audit-signer.ts';
import { type Command, CommandProblem } from './command.ts';
import { fileLines } from './file-lines.ts';

const HELP = `Usage: npm run -s stet -- audit verify FILE [--checkpoints FILE] [--key FILE] [--json]

Verifies an exported audit trail (the "Data" export, .ndjson), without a server or a database: every event and its
place in the chain, the signed checkpoints over them, and that the file is as it was exported.

Options:
  --checkpoints FILE  checkpoints that were kept elsewhere, such as a copy of DATA_DIR/checkpoints/ORGANIZATION.txt; they
                      find a trail that was cut short or written anew as a whole
  --key FILE          the key to trust, one or more, one a line: as the audit screen shows it, or DATA_DIR/keys/*.pub;
                      without it the file's own key is taken, which finds damage but not a forger
  --json              the result as JSON
  -h, --help          show this

Exit codes:
  0  intact
  1  tampered; the first finding names the first bad event
  2  incomplete: what is there holds, and it is not shown to be all (or the arguments were not understood)
  3  a file can't be read

Example: npm run -s stet -- audit verify audit-all.ndjson --checkpoints checkpoints.txt --key audit.key
`;

const EXIT_CODES = { intact: 0, tampered: 1, incomplete: 2 } as const;
const UNREADABLE = 3;
/** Of many findings a person reads the first. */
const SHOWN = 10;

export const auditVerify: Command = {
  name: 'audit verify',
  summary: 'Verify an exported audit trail, without a server or a database',
  help: HELP,
  options: { checkpoints: { type: 'string' }, key: { type: 'string' }, json: { type: 'boolean' } },
  positionals: { min: 1, max: 1 },
  run: async ({ positionals: [file = ''], options }, terminal) => {
    const text = (name: string): string | null => {
      const path = options[name];
      return typeof path === 'string' ? readable(path, () => readFileSync(path, 'utf8')) : null;
    };
    const checkpoints = splitNotes(text('checkpoints') ?? '');
    const keyText = text('key');
    const report = readable(file, () => {
      const keys = keyText === null ? [] : keysOf(keyText, file);
      return verifyBundle({ lines: fileLines(file), checkpoints, keys, verifySignature: verifyEd25519 });
    });
    await terminal.out(options['json'] === true ? asJson(report) : inWords(report));
    return EXIT_CODES[report.verdict];
  },
};

function readable<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new CommandProblem(`${path} can't be read: ${error.message}`, UNREADABLE);
  }
}

/** Keys as the audit screen shows them, or bare public keys, which then count for the organization of the file. */
function keysOf(text: string, file: string): NoteKey[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const keys = lines.flatMap((line): NoteKey[] => {
    const named = readNoteKey(line);
    if (named) return [named];
    const publicKey = fromBase64(line);
    const orgId = organizationOf(file);
    return publicKey?.length === 32 && orgId !== null ? [{ name: originOf(orgId), publicKey }] : [];
  });
  if (keys.length === 0) throw new CommandProblem('The file that --key names holds no key.', UNREADABLE);
  return keys;
}

function organizationOf(file: string): string | null {
  for (const text of fileLines(file)) {
    const line = readBundleLine(text);
    return line?.type === 'header' ? line.org.id : null;
  }
  return null;
}

const counted = (n: number, noun: string): string => `${n.toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`;

function inWords({
  verdict,
  findings,
  findingsInAll,
  header,
  events,
  skipped,
  head,
  sealed,
  trust,
}: BundleReport): string {
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  const verdicts = {
    intact: 'Intact: every event is as it was recorded, and none is missing.',
    tampered: 'TAMPERED: this is not what was recorded.',
    incomplete: 'INCOMPLETE: what is there holds, but it is not shown to be all.',
  };
  const lines = [
    verdicts[verdict],
    ...(header ? [`Organization  ${header.org.name} (${header.org.id})`] : []),
    ...(header ? [`Exported      ${header.exportedAt} by ${header.exportedBy.name} <${header.exportedBy.email}>`] : []),
    `Events        ${counted(events, 'event')}${skipped > 0 ? `; ${counted(skipped, 'other')} by their hashes` : ''}`,
    ...(head ? [`Last          event ${head.seq}, ${hex(head.hash)}`] : []),
    sealed ? `Sealed        up to event ${sealed.size}, signed ${sealed.at}` : 'Sealed        by no checkpoint',
    ...findings.slice(0, SHOWN).map((finding) => `  ✗ ${findingInWords(finding)}`),
    ...(findingsInAll > SHOWN ? [`  … and ${counted(findingsInAll - SHOWN, 'more finding')}`] : []),
    ...(trust === 'own'
      ? ['Checked by the key in the file itself. Use --key with a key from elsewhere to find a forger.']
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

function asJson({ head, ...report }: BundleReport): string {
  const sealed = report.sealed && { size: report.sealed.size, at: report.sealed.at };
  const hash = head && Buffer.from(head.hash).toString('hex');
  const findings = report.findings.map((finding) => ({ ...finding, sentence: findingInWords(finding) }));
  return `${JSON.stringify({ ...report, findings, sealed, head: head && { seq: head.seq, hash } }, null, 2)}\n`;
}
