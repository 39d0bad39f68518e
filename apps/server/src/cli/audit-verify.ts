import { readFileSync } from 'node:fs';
import {
  type BundleReport,
  type NoteKey,
  bytesOfBase64,
  checkpointOf,
  findingInWords,
  keyOfText,
  lineOfText,
  splitNotes,
  verifyBundle,
} from '@stet/domain/audit';
import { type Command, CommandProblem } from './command.ts';
import { fileLines } from './file-lines.ts';
import { verifyEd25519 } from './verify-signature.ts';

const HELP = `Usage: npm run -s stet -- audit verify FILE [--checkpoints FILE] [--key FILE] [--json]

Verifies an exported audit trail (the "Data" export, .ndjson), without a server or a database: every event and its
place in the chain, the signed checkpoints over them, and that the file is as it was exported.

Options:
  --checkpoints FILE  checkpoints that were kept elsewhere, such as a copy of DATA_DIR/checkpoints/ORGANIZATION.txt; they
                      find a trail that was cut short or written anew as a whole
  --key FILE          the key to trust, one or more, one a line: as the audit screen shows it, or DATA_DIR/keys/*.pub;
                      without it and without --checkpoints only consistency is checked, not origin: by the file's own key,
                      which finds damage but not a forger
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
      return typeof path === 'string' ? readable(path, () => plain(readFileSync(path, 'utf8'))) : null;
    };
    const kept = text('checkpoints');
    const checkpoints = kept === null ? [] : checkpointsIn(kept);
    const keyText = text('key');
    const report = readable(file, () => {
      const keys = keyText === null ? [] : keysOf(keyText, file);
      const lines = fileLines(file);
      return verifyBundle({ lines, isWhole: lines.isWhole, checkpoints, keys, verifySignature: verifyEd25519 });
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

/** A text as it was before an editor or a mail program put a byte order mark before it and other line breaks into it. */
const plain = (text: string): string => text.replace(/^\u{feff}/u, '').replaceAll('\r\n', '\n');

/** The checkpoints of a file that has nothing else; a file that shows nothing must not look as if it had shown something. */
function checkpointsIn(text: string): string[] {
  const notes = splitNotes(text);
  const isCheckpoint = (note: string): boolean => checkpointOf(note.slice(0, note.lastIndexOf('\n\n') + 1)) !== null;
  if (notes.length === 0)
    throw new CommandProblem('The file that --checkpoints names holds no checkpoint.', UNREADABLE);
  const at = notes.findIndex((note) => !isCheckpoint(note));
  if (at >= 0)
    throw new CommandProblem(
      `The file that --checkpoints names holds something that is no checkpoint: “${(notes[at] ?? '').slice(0, 60).split('\n', 1).join()}”.`,
      UNREADABLE,
    );
  return notes;
}

/** Keys as the audit screen shows them, or bare public keys, which then count for the organization of the file. */
function keysOf(text: string, file: string): NoteKey[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const keys = lines.flatMap((line): NoteKey[] => {
    const named = keyOfText(line);
    if (named) return [named];
    const publicKey = bytesOfBase64(line);
    const orgId = organizationOf(file);
    return publicKey?.length === 32 && orgId !== null ? [{ name: `stet/${orgId}`, publicKey }] : [];
  });
  if (keys.length === 0) throw new CommandProblem('The file that --key names holds no key.', UNREADABLE);
  return keys;
}

function organizationOf(file: string): string | null {
  for (const text of fileLines(file)) {
    const line = lineOfText(text);
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
    intact:
      trust === 'none'
        ? 'Intact in itself: every event follows from the one before it, and none is missing.'
        : 'Intact: every event is as it was recorded, and none is missing.',
    tampered: 'TAMPERED: this is not what was recorded.',
    incomplete: 'INCOMPLETE: what is there holds, but it is not shown to be all.',
  };
  const origins = {
    key: [],
    checkpoints: ['Origin        whoever signed the given checkpoints; --key says that it was your server'],
    none: [
      'Only consistency was checked, not origin: the key is the one in the file itself, which a forger brings along.',
      'Use --key with a key from elsewhere, or --checkpoints with checkpoints that were kept elsewhere.',
    ],
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
    ...origins[trust],
  ];
  return `${lines.join('\n')}\n`;
}

function asJson({ head, ...report }: BundleReport): string {
  const sealed = report.sealed && { size: report.sealed.size, at: report.sealed.at };
  const hash = head && Buffer.from(head.hash).toString('hex');
  const findings = report.findings.map((finding) => ({ ...finding, sentence: findingInWords(finding) }));
  return `${JSON.stringify({ ...report, findings, sealed, head: head && { seq: head.seq, hash } }, null, 2)}\n`;
}
