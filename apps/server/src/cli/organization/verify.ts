import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import {
  type AuditEvent,
  type BundleReport,
  type BundleVerdict,
  type NoteKey,
  filesNamedIn,
  keyOfText,
  lineOfText,
  openNote,
  verifyBundle,
} from '@stet/domain/audit';
import { visibleText } from '@stet/domain/workflows';
import { EXIT_CODES, TRUST_OPTIONS, asJson, givenTrust, inWords, readable, verdictWithFiles } from '../audit-verify.ts';
import { type Command, CommandProblem } from '../command.ts';
import { type FileFinding, type FilesReport, NamedFiles, exportedName } from '../evidence-files.ts';
import { type Span, fileLines } from '../file-lines.ts';
import { onOneLine } from '../one-line.ts';
import { verifyEd25519 } from '../verify-signature.ts';
import {
  MANIFEST,
  SIGNATURE,
  SUMS,
  type Summed,
  TRAIL,
  readSums,
  signedOrganization,
  signedText,
} from './organization-archive.ts';
import { listTar } from './tar.ts';

const HELP = `Usage: stet organization verify ARCHIVE [--key FILE] [--checkpoints FILE] [--mac-key FILE] [--json]

Verifies an archive of stet organization export without a server or a database: every file against its digest, the
signature of the digests, the audit trail as stet audit verify does, and that the archive has every file that the trail
names. Each file that was changed or added, or that is missing, is named.

Options:
  --key FILE          one or more trusted keys, one per line, as shown on the audit screen or in DATA_DIR/keys/*.pub;
                      without it, the archive's own key is used, which finds damage, not forgery
  --checkpoints FILE  checkpoints stored elsewhere, for example a copy of DATA_DIR/checkpoints/ORGANIZATION.txt
  --mac-key FILE      DATA_DIR/keys/audit-mac.key: checks that a server of this installation created each event
  --json              print the result as JSON
  -h, --help          show this help

Exit codes:
  0  intact
  1  tampered: something differs from what was exported
  2  incomplete: everything present is valid, but something is missing (or the arguments are invalid)
  3  a file can't be read

Example: stet organization verify stet-organization-acme-2026-11-27T08-00-00Z.tar --key audit.key
`;

type ArchiveFinding = {
  /** The file in the archive. Null if the finding concerns the archive itself. */
  path: string | null;
  problem: 'changed' | 'missing' | 'added' | 'inconsistent' | 'signature' | 'damaged' | 'cut';
  sentence: string;
};
type ArchiveReport = { files: number; findings: ArchiveFinding[]; isSigned: boolean };

const PIECE_BYTES = 256 * 1024;
/** Maximum size of the list of digests, which is enough for about a million files. */
const MAX_SUMS_BYTES = 256 * 1024 * 1024;

export const organizationVerify: Command = {
  name: 'organization verify',
  summary: 'Verify an organization’s archive, without a server or a database',
  help: HELP,
  options: { ...TRUST_OPTIONS, json: { type: 'boolean' } },
  positionals: { min: 1, max: 1 },
  run: async ({ positionals: [path = ''], options }, terminal) => {
    const { verdict, archive, trail: ofTrail, files } = verifyOpenedArchive(path, givenTrust(options));
    if (options['json'] === true) {
      const report = ofTrail && (JSON.parse(asJson(ofTrail, files)) as unknown);
      await terminal.out(`${JSON.stringify({ verdict, archive, trail: report }, null, 2)}\n`);
    } else await terminal.out(archiveInWords(verdict, archive) + (ofTrail ? `\n${inWords(ofTrail, files)}` : ''));
    return EXIT_CODES[verdict];
  },
};

/**
 * Verifies an archive. The verdict applies to the archive and its trail, including the files that the trail names.
 * `trail` is null if the archive has none.
 */
export function verifyOpenedArchive(
  path: string,
  given: Given,
): { verdict: BundleVerdict; archive: ArchiveReport; trail: BundleReport | null; files: FilesReport | null } {
  const { archive, trail, files } = readable(path, () => {
    const file = openSync(path, 'r');
    try {
      return verifyArchive({ path, file }, given);
    } finally {
      closeSync(file);
    }
  });
  const withFiles = trail && { ...trail, verdict: verdictWithFiles(trail.verdict, files) };
  return { verdict: verdictOf(archive, withFiles?.verdict ?? null), archive, trail: withFiles, files };
}

type Opened = { path: string; file: number };
type Given = ReturnType<typeof givenTrust>;

function verifyArchive(
  opened: Opened,
  { checkpoints, keysFor, isMac }: Given,
): { archive: ArchiveReport; trail: BundleReport | null; files: FilesReport | null } {
  const { size } = fstatSync(opened.file);
  const { files, problems } = listTar(opened.file, size);
  if (files.size === 0) throw new CommandProblem(`${opened.path} is not an archive of an organization.`, 3);
  const digests = new Map([...files].map(([name, span]) => [name, digestOf(opened.file, span)]));

  const at = files.get(TRAIL);
  const lines = at && fileLines(opened.path, at);
  const header = lines ? headerOf(lines) : null;
  // The trail and the signature both name the organization. Keys for both names are accepted, so that a change in the
  // trail isn't reported as a change of the signature.
  const named = [header?.org.id ?? null, signedOrganization(textAt(opened.file, files.get(SIGNATURE)))];
  const orgIds = [...new Set(named.filter((id) => id !== null))];
  const given = orgIds.flatMap((id) => keysFor(() => id));
  const own = header && keyOfText(header.key);
  const keys = given.length > 0 ? given : own ? [own] : [];
  const compared = sumFindings(opened, { files, digests, orgIds, keys });
  const isNamed = new Set(compared.map(({ path }) => path));
  const findings: ArchiveFinding[] = [
    ...problems
      .filter(({ path }) => path === null || !isNamed.has(path))
      .map(({ kind, path, sentence }) => ({ path, problem: kind, sentence })),
    ...compared,
  ];
  if (!lines) return { archive: reportOf(files.size, findings, given), trail: null, files: null };
  const filesInTrail = new NamedFiles();
  const onEvent = (event: AuditEvent): void => filesInTrail.add(filesNamedIn(event));
  const trail = verifyBundle({
    lines,
    isWhole: lines.isWhole,
    checkpoints,
    keys: given,
    verifySignature: verifyEd25519,
    ...(isMac && { isMac }),
    onEvent,
  });
  return { archive: reportOf(files.size, findings, given), trail, files: namedFiles(filesInTrail, files, digests) };
}

const reportOf = (files: number, findings: ArchiveFinding[], given: readonly NoteKey[]): ArchiveReport => ({
  files,
  findings,
  isSigned: given.length > 0 && findings.length === 0,
});

const missing = (path: string): ArchiveFinding => ({ path, problem: 'missing', sentence: `${path} is missing.` });
const changed = (path: string): ArchiveFinding => ({
  path,
  problem: 'changed',
  sentence: `${path} differs from what was exported.`,
});

type Listed = { files: ReadonlyMap<string, Span>; digests: ReadonlyMap<string, string> };

/** Compares the files with the list of digests, and checks the signature of the list. */
function sumFindings(
  opened: Opened,
  { files, digests, orgIds, keys }: Listed & { orgIds: readonly string[]; keys: readonly NoteKey[] },
): ArchiveFinding[] {
  if (!files.has(SUMS)) return [TRAIL, MANIFEST, SUMS, SIGNATURE].filter((path) => !files.has(path)).map(missing);
  const sums = readSums(textAt(opened.file, files.get(SUMS)));
  const findings = sums ? changedFiles(sums, { files, digests }) : [];
  if (!files.has(SIGNATURE)) return [...findings, ...(sums ? [] : [changed(SUMS)]), missing(SIGNATURE)];
  const signed = openNote(textAt(opened.file, files.get(SIGNATURE)), keys, verifyEd25519);
  if (signed.ok && !orgIds.some((id) => signed.text === signedText(id, digests.get(SUMS) ?? '')))
    return [changed(SUMS), ...findings.map(inconsistent)];
  const ofSums = sums ? [] : [changed(SUMS)];
  if (signed.ok) return [...findings, ...ofSums];
  const why = signed.problem === 'unknown_key' ? 'is not signed with a trusted key' : 'is not a valid signature';
  return [...findings, ...ofSums, { path: SIGNATURE, problem: 'signature', sentence: `${SIGNATURE} ${why}.` }];
}

/** If the list itself was changed, a difference doesn't show which of the two is wrong. */
const inconsistent = ({ path }: ArchiveFinding): ArchiveFinding => ({
  path,
  problem: 'inconsistent',
  sentence: `${path} doesn't match ${SUMS}, which was changed itself.`,
});

/** Returns the files that are missing, that differ from the list of digests, or that it doesn't contain. */
function changedFiles(sums: readonly Summed[], { files, digests }: Listed): ArchiveFinding[] {
  const listed = new Set(sums.map(({ path }) => path));
  const added = [...files.keys()].filter((path) => !listed.has(path) && path !== SUMS && path !== SIGNATURE);
  return [
    ...sums.flatMap(({ path, sha256 }) => {
      if (!files.has(path)) return [missing(path)];
      return digests.get(path) === sha256 ? [] : [changed(path)];
    }),
    ...added.map((path): ArchiveFinding => ({ path, problem: 'added', sentence: `${path} was added later.` })),
  ];
}

/** Compares the files that the trail names with those in the archive. */
function namedFiles(named: NamedFiles, files: Listed['files'], digests: Listed['digests']): FilesReport {
  const findings: FileFinding[] = [];
  const used = new Set<string>();
  for (const [, versions] of named) {
    for (const file of versions) {
      const path = `files/${exportedName(file)}`;
      used.add(path);
      if (!files.has(path)) findings.push({ file, problem: 'missing' });
      else if (digests.get(path) !== file.sha256) findings.push({ file, problem: 'changed' });
    }
  }
  const unnamed = [...files.keys()].filter((path) => path.startsWith('files/') && !used.has(path)).length;
  return { files: named.size, findings, unnamed };
}

function headerOf(lines: Iterable<string>): { org: { id: string }; key: string } | null {
  for (const text of lines) {
    const line = lineOfText(text);
    return line?.type === 'header' ? line : null;
  }
  return null;
}

function digestOf(file: number, { start, size }: Span): string {
  const hash = createHash('sha256');
  const piece = Buffer.alloc(Math.min(PIECE_BYTES, size));
  for (let done = 0; done < size;) {
    const length = readSync(file, piece, 0, Math.min(piece.length, size - done), start + done);
    if (length === 0) break;
    hash.update(piece.subarray(0, length));
    done += length;
  }
  return hash.digest('hex');
}

function textAt(file: number, span: Span | undefined): string {
  if (!span || span.size > MAX_SUMS_BYTES) return '';
  const bytes = Buffer.alloc(span.size);
  readSync(file, bytes, 0, span.size, span.start);
  return bytes.toString('utf8');
}

function verdictOf({ findings }: ArchiveReport, trail: BundleVerdict | null): BundleVerdict {
  const isIncomplete = ({ problem }: ArchiveFinding): boolean => problem === 'missing' || problem === 'cut';
  if (trail === 'tampered' || !findings.every(isIncomplete)) return 'tampered';
  return findings.length > 0 || trail !== 'intact' ? 'incomplete' : 'intact';
}

const HEADLINES: Readonly<Record<BundleVerdict, string>> = {
  intact: 'Intact: every file is as it was exported, and none is missing.',
  tampered: 'TAMPERED: the archive differs from what was exported.',
  incomplete: 'INCOMPLETE: everything present is valid, but something is missing.',
};

function archiveInWords(verdict: BundleVerdict, { files, findings, isSigned }: ArchiveReport): string {
  const lines = [
    HEADLINES[verdict],
    `Archive       ${files.toLocaleString('en-US')} files${isSigned ? ', signed with the given key' : ''}`,
    ...findings.map(({ sentence }) => `  ✗ ${visibleText(sentence)}`),
  ];
  return `${lines.map(onOneLine).join('\n')}\n`;
}
