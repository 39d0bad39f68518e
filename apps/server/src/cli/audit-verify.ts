import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import {
  type AuditEvent,
  type BundleReport,
  type BundleVerdict,
  type NoteKey,
  bytesOfBase64,
  checkpointOf,
  filesNamedIn,
  findingInWords,
  keyOfText,
  lineOfText,
  splitNotes,
  verifyBundle,
} from '@stet/domain/audit';
import { isolated, visibleText } from '@stet/domain/workflows';
import {
  beginsCertificate,
  certificateIn,
  certificateResult,
  isPdf,
  organizationOfCertificate,
} from './certificate-verify.ts';
import { type Arguments, type Command, CommandProblem, USAGE } from './command.ts';
import { type FileFinding, type FilesReport, NamedFiles, checkFolder } from './evidence-files.ts';
import { fileLines } from './file-lines.ts';
import { onOneLine } from './one-line.ts';
import { checkMacBy, verifyEd25519 } from './verify-signature.ts';

const HELP = `Usage: npm run -s stet -- audit verify FILE [--checkpoints FILE] [--key FILE] [--mac-key FILE] [--files FOLDER]
                                               [--json]

Verifies an exported audit trail (the "Data" export, .ndjson) without a server or a database: every event and its
position in the chain, the signed checkpoints, and that the file is unchanged since its export.

Also verifies the certificate of a version (.json, or a PDF with the certificate attached): the content, who wrote and
approved it, and when it was in force, as the sealed events show. Prints the facts, or the first reason to refuse it.

Options:
  --checkpoints FILE  checkpoints stored elsewhere, for example a copy of DATA_DIR/checkpoints/ORGANIZATION.txt; they
                      reveal a trail that was truncated or rewritten completely
  --key FILE          one or more trusted keys, one per line, as shown on the audit screen or in DATA_DIR/keys/*.pub;
                      without --key and --checkpoints the file's own key is used, which shows consistency but not
                      origin: it finds damage, not forgery
  --mac-key FILE      DATA_DIR/keys/audit-mac.key: checks that a server of this installation created each event. This
                      key is a secret: anyone who has it can create MACs. Without it, everything else is checked
  --files FOLDER      the files that people attached to steps or notes, as "stet audit files" downloads them: checks that
                      each file named in the trail is in the folder, with the SHA-256 digest that was recorded
  --json              print the result as JSON
  -h, --help          show this help

Exit codes:
  0  intact
  1  tampered; the first finding names the first bad event or file (or the certificate is refused)
  2  incomplete: the events and files present are valid, but some may be missing (or the arguments are invalid)
  3  a file can't be read

Example: npm run -s stet -- audit verify audit-all.ndjson --checkpoints checkpoints.txt --key audit.key
Example: npm run -s stet -- audit verify audit-all.ndjson --key audit.key --files audit-files
`;

export const EXIT_CODES = { intact: 0, tampered: 1, incomplete: 2 } as const;
export const UNREADABLE = 3;
/** Maximum number of findings shown. */
const SHOWN = 10;

/** Options for keys and checkpoints from a source other than the verified file. */
export const TRUST_OPTIONS = {
  checkpoints: { type: 'string' },
  key: { type: 'string' },
  'mac-key': { type: 'string' },
} as const;

/** Reads the files of `TRUST_OPTIONS`. `keysFor` needs the organization only for public keys without a name. */
export function givenTrust(options: Arguments['options']): {
  checkpoints: string[];
  keysFor: (organization: () => string | null) => NoteKey[];
  isMac: ReturnType<typeof checkMacBy> | null;
} {
  const text = (name: string): string | null => {
    const path = options[name];
    return typeof path === 'string' ? readable(path, () => plain(readFileSync(path, 'utf8'))) : null;
  };
  const checkpoints = text('checkpoints');
  const keys = text('key');
  const macKey = text('mac-key');
  return {
    checkpoints: checkpoints === null ? [] : checkpointsIn(checkpoints),
    keysFor: (organization) => (keys === null ? [] : keysOf(keys, organization)),
    isMac: macKey === null ? null : checkMacBy(macKeyOf(macKey)),
  };
}

export const auditVerify: Command = {
  name: 'audit verify',
  summary: 'Verify an exported audit trail or a version’s certificate, without a server or a database',
  help: HELP,
  options: {
    ...TRUST_OPTIONS,
    files: { type: 'string' },
    json: { type: 'boolean' },
  },
  positionals: { min: 1, max: 1 },
  run: async ({ positionals: [file = ''], options }, terminal) => {
    const { checkpoints, keysFor, isMac } = givenTrust(options);
    const begin = readable(file, () => beginOf(file));
    const certificate = beginsCertificate(begin) ? readable(file, () => certificateIn(readFileSync(file))) : null;
    if (certificate === null && isPdf(begin))
      throw new CommandProblem('This PDF contains no certificate. Verify the certificate as JSON instead.', UNREADABLE);
    const folder = options['files'];
    if (certificate !== null) {
      if (folder !== undefined)
        throw new CommandProblem('A certificate names no files. Use --files with an exported trail.', USAGE);
      const keys = keysFor(() => organizationOfCertificate(certificate));
      const { text: result, exitCode } = certificateResult(
        { text: certificate, keys, checkpoints, verifySignature: verifyEd25519 },
        { asJson: options['json'] === true, isPdf: isPdf(begin), hasMacKey: isMac !== null },
      );
      await terminal.out(result);
      return exitCode;
    }
    const named = new NamedFiles();
    const report = readable(file, () => {
      const lines = fileLines(file);
      const keys = keysFor(() => organizationOf(lines));
      const given = { checkpoints, keys, verifySignature: verifyEd25519, ...(isMac && { isMac }) };
      const onEvent = (event: AuditEvent): void => named.add(filesNamedIn(event));
      return verifyBundle({ lines, isWhole: lines.isWhole, ...given, onEvent });
    });
    const files = typeof folder === 'string' ? readable(folder, () => checkFolder(folder, named)) : null;
    const verdict = verdictWithFiles(report.verdict, files);
    await terminal.out(
      options['json'] === true ? asJson({ ...report, verdict }, files) : inWords({ ...report, verdict }, files),
    );
    return EXIT_CODES[verdict];
  },
};

/** Calls `read`. An error of the file system becomes a sentence with a separate exit code. */
export function readable<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new CommandProblem(`${path} can't be read: ${error.message}`, UNREADABLE);
  }
}

/** Undoes changes made by an editor or a mail program: the byte order mark and CRLF line breaks. */
const plain = (text: string): string => text.replace(/^\u{feff}/u, '').replaceAll('\r\n', '\n');

/**
 * Reads the checkpoints in a file. Refuses a file with any other content, because ignored content would seem to be
 * verified.
 */
function checkpointsIn(text: string): string[] {
  const notes = splitNotes(text);
  const isCheckpoint = (note: string): boolean => checkpointOf(note.slice(0, note.lastIndexOf('\n\n') + 1)) !== null;
  if (notes.length === 0)
    throw new CommandProblem('The file given with --checkpoints contains no checkpoint.', UNREADABLE);
  const at = notes.findIndex((note) => !isCheckpoint(note));
  if (at >= 0)
    throw new CommandProblem(
      `The file given with --checkpoints contains text that isn't a checkpoint: “${(notes[at] ?? '').slice(0, 60).split('\n', 1).join()}”.`,
      UNREADABLE,
    );
  return notes;
}

/**
 * Reads keys in the format of the audit screen, or public keys without a name, which apply to the organization of the
 * verified file. Ignores other lines. Refuses a text without a key.
 */
function keysOf(text: string, organization: () => string | null): NoteKey[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const keys = lines.flatMap((line): NoteKey[] => {
    const named = keyOfText(line);
    if (named) return [named];
    const publicKey = bytesOfBase64(line);
    const orgId = organization();
    return publicKey?.length === 32 && orgId !== null ? [{ name: `stet/${orgId}`, publicKey }] : [];
  });
  if (keys.length === 0) throw new CommandProblem('The file given with --key contains no key.', UNREADABLE);
  return keys;
}

function macKeyOf(text: string): Buffer {
  const key = bytesOfBase64(text.trim());
  if (key?.length !== 32) throw new CommandProblem('The file given with --mac-key contains no MAC key.', UNREADABLE);
  return Buffer.from(key);
}

export function organizationOf(lines: Iterable<string>): string | null {
  for (const text of lines) {
    const line = lineOfText(text);
    return line?.type === 'header' ? line.org.id : null;
  }
  return null;
}

// In bytes. A larger file isn't loaded as a certificate, but verified line by line as an export.
const LARGEST_CERTIFICATE = 100 * 1024 * 1024;

function beginOf(file: string): string {
  const opened = openSync(file, 'r');
  try {
    const begin = Buffer.alloc(64);
    readSync(opened, begin, 0, begin.length, 0);
    return fstatSync(opened).size > LARGEST_CERTIFICATE ? '' : begin.toString('utf8');
  } finally {
    closeSync(opened);
  }
}

const counted = (n: number, noun: string): string => `${n.toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`;

const MACS: Readonly<Record<BundleReport['macs'], readonly string[]>> = {
  checked: ['MACs          a server of this installation created each event'],
  unchecked: [
    'MACs          not checked: use --mac-key to check that a server of this installation created each event',
  ],
  none: ['MACs          none: the file predates them'],
};

const written = (text: string): string => isolated(visibleText(text));

// If an administrator of the installation made the export, there is no address.
const exportLine = ({ exportedAt, exportedBy: { name, email } }: NonNullable<BundleReport['header']>): string =>
  `Exported      ${visibleText(exportedAt)} by ${written(name)}${email === '' ? '' : ` <${visibleText(email)}>`}`;

/** A changed file counts as tampering. A missing file makes the evidence incomplete. */
export function verdictWithFiles(verdict: BundleVerdict, files: FilesReport | null): BundleVerdict {
  if (verdict === 'tampered' || files?.findings.some(({ problem }) => problem === 'changed')) return 'tampered';
  return files && files.findings.length > 0 ? 'incomplete' : verdict;
}

const FILE_PROBLEMS: Readonly<Record<FileFinding['problem'], string>> = {
  missing: 'is missing in the folder',
  changed: 'differs from the one that was recorded',
};

const fileFinding = ({ file: { seq, fileId, name }, problem }: FileFinding): string =>
  `The file ${written(name)} (${fileId}) of event ${seq} ${FILE_PROBLEMS[problem]}`;

function filesInWords({ files, findings, unnamed }: FilesReport): string[] {
  const good = files - new Set(findings.map(({ file }) => file.fileId)).size;
  return [
    `Files         ${counted(files, 'file')} named in the trail; ${good === files ? 'all' : good.toLocaleString('en-US')} present and unchanged`,
    ...findings.slice(0, SHOWN).map((finding) => `  ✗ ${fileFinding(finding)}`),
    ...(findings.length > SHOWN ? [`  … and ${counted(findings.length - SHOWN, 'more file')}`] : []),
    ...(unnamed > 0 ? [`  The folder has ${counted(unnamed, 'other file')}, which no event in the export names.`] : []),
  ];
}

/** Writes the result for people, one fact per line. */
export function inWords(
  { verdict, findings, findingsInAll, header, events, skipped, head, sealed, trust, macs }: BundleReport,
  files: FilesReport | null,
): string {
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  const verdicts = {
    intact:
      trust === 'none'
        ? 'Consistent: every event follows from the one before it, and none is missing.'
        : 'Intact: every event is as it was recorded, and none is missing.',
    tampered:
      findingsInAll === 0
        ? 'TAMPERED: files differ from what was recorded.'
        : 'TAMPERED: the file differs from what was recorded.',
    incomplete: `INCOMPLETE: the events ${files ? 'and files ' : ''}present are valid, but some may be missing.`,
  };
  const origins = {
    key: [],
    checkpoints: ['Origin        the signer of the given checkpoints; use --key to check that it was your server'],
    none: [
      'Only consistency was checked, not origin: the key comes from the file itself, so a forger could have supplied it.',
      'Use --key with a key from elsewhere, or --checkpoints with checkpoints stored elsewhere.',
    ],
  };
  const lines = [
    verdicts[verdict],
    ...(header ? [`Organization  ${written(header.org.name)} (${visibleText(header.org.id)})`] : []),
    ...(header ? [exportLine(header)] : []),
    `Events        ${counted(events, 'event')}${skipped > 0 ? `; only the hashes of ${counted(skipped, 'more event')}` : ''}`,
    ...(head ? [`Last          event ${head.seq}, ${hex(head.hash)}`] : []),
    sealed ? `Sealed        up to event ${sealed.size}, signed ${sealed.at}` : 'Sealed        no checkpoint',
    ...findings.slice(0, SHOWN).map((finding) => `  ✗ ${visibleText(findingInWords(finding))}`),
    ...(findingsInAll > SHOWN ? [`  … and ${counted(findingsInAll - SHOWN, 'more finding')}`] : []),
    ...(files ? filesInWords(files) : []),
    ...origins[trust],
    ...MACS[macs],
  ];
  return `${lines.map(onOneLine).join('\n')}\n`;
}

/** Writes the result for programs. */
export function asJson({ head, ...report }: BundleReport, files: FilesReport | null): string {
  const sealed = report.sealed && { size: report.sealed.size, at: report.sealed.at };
  const hash = head && Buffer.from(head.hash).toString('hex');
  const findings = report.findings.map((finding) => ({ ...finding, sentence: findingInWords(finding) }));
  return `${JSON.stringify({ ...report, findings, sealed, head: head && { seq: head.seq, hash }, ...(files && { files }) }, null, 2)}\n`;
}
