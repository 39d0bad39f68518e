import { sha256 } from '@noble/hashes/sha2';
import { utf8ToBytes } from '@noble/hashes/utils';
import type { BundleHeader, BundleLine } from '../bundle.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { inOrder, verdictOf, type BundleVerdict, type Find, type Finding } from '../findings.ts';
import type { NoteKey, VerifySignature } from '../note.ts';
import { lineOfText } from './lines.ts';
import { checkpointOf, isEndOf, keyOfText, textOfNote } from './notes.ts';
import { openTrailWalk } from './trail-walk.ts';

/** Findings past this many are only counted: one bad event can make a thousand. */
export const MOST_FINDINGS = 100;

export type BundleInput = {
  /** The lines without their breaks; read twice, from a file each time anew. */
  lines: Iterable<string>;
  /** False where the last line has no line break behind it; asked when all lines were read. Whole where absent. */
  isWhole?: () => boolean;
  /** Checkpoints that were kept elsewhere: only those can show that someone made the whole bundle anew. */
  checkpoints?: readonly string[];
  /** Keys that are trusted; with none the bundle's own is taken, which shows damage and, without checkpoints, no forger. */
  keys: readonly NoteKey[];
  verifySignature: VerifySignature;
};

/**
 * What verification came to. `sealed` is the largest checkpoint that holds. `trust` is what shows the origin: a key that was
 * given, a checkpoint that was given and holds, or nothing: the bundle's own key shows that it agrees with itself.
 */
export type BundleReport = {
  verdict: BundleVerdict;
  findings: Finding[];
  findingsInAll: number;
  header: BundleHeader | null;
  events: number;
  skipped: number;
  head: { seq: number; hash: Uint8Array } | null;
  sealed: Pick<Checkpoint, 'size' | 'at'> | null;
  trust: 'key' | 'checkpoints' | 'none';
};

/**
 * Verifies a bundle (architecture, audit trail): every event and its place, the signed checkpoints over them, and that the
 * file is as it was exported. Nothing is refused: what is wrong is a finding, the first bad event first.
 */
export function verifyBundle(input: BundleInput): BundleReport {
  // Of each sort so many, so that the ones without a number don't crowd out the first bad event.
  const found: Record<'numbered' | 'others', Finding[]> = { numbered: [], others: [] };
  let findingsInAll = 0;
  const find: Find = (kind, { seq = null, line = null } = {}) => {
    findingsInAll += 1;
    const kept = seq === null ? found.others : found.numbered;
    if (kept.length < MOST_FINDINGS) kept.push({ kind, seq, line });
  };

  const header = headerOf(input.lines);
  const own = header && keyOfText(header.key);
  const keys = input.keys.length > 0 ? input.keys : own ? [own] : [];
  const orgId = header?.org.id ?? null;
  const open = (note: string): string | null => textOfNote(note, keys, input.verifySignature);
  const { checkpoints, given, areForeign } = checkpointsOf(input, { orgId, open, find });

  const walk = openTrailWalk({ orgId, checkpoints, find });
  const digest = sha256.create();
  let number = 0;
  let section = 'start' as Section;
  // One behind: whether a line is the last one, and broken off, shows when there is none behind it.
  let pending: string | null = null;
  const take = (text: string, isLast: boolean): void => {
    number += 1;
    const line = lineOfText(text);
    if (line === null) {
      const isBroken = isLast && input.isWhole?.() === false && section !== 'end' && mayBegin(text, section);
      if (!isBroken && section === 'events') walk.unreadable(number);
      else if (!isBroken) find('unreadable', { line: number });
    } else if (!isInPlace(line, section)) find('bundle', { line: number });
    if (line?.type === 'event') walk.event(line.event);
    if (line?.type === 'skipped') walk.skipped(line);
    if (line?.type === 'end') {
      const said = open(line.note);
      if (said === null) find('signature', { line: number });
      else if (!isEndOf(said, { orgId: orgId ?? '', lines: number - 1, digest: digest.clone().digest() }))
        find('bundle');
    }
    if (line !== null) section = sectionAfter(line);
    digest.update(utf8ToBytes(`${text}\n`));
  };
  for (const text of input.lines) {
    if (pending !== null) take(pending, false);
    pending = text;
  }
  if (pending !== null) take(pending, true);
  const walked = walk.finish(header?.last);
  if (section !== 'end') find('cut');
  else if (header && (walked.events !== header.events || walked.last !== header.last)) find('bundle');
  if (header && header.range.to === null) {
    const missing = checkpoints.find(({ size, at }) => size > walked.last && at <= header.exportedAt);
    if (missing) find('truncation', { seq: missing.size });
  }
  if (areForeign) find('foreign');
  const findings = inOrder([...found.numbered, ...found.others]).slice(0, MOST_FINDINGS);
  return {
    verdict: verdictOf(findings),
    findings,
    findingsInAll,
    header,
    events: walked.events,
    skipped: walked.skipped,
    head: walked.head,
    sealed: walked.sealed,
    trust: input.keys.length > 0 ? 'key' : given.some((one) => walked.held.has(one)) ? 'checkpoints' : 'none',
  };
}

function headerOf(lines: Iterable<string>): BundleHeader | null {
  for (const text of lines) {
    const line = lineOfText(text);
    return line?.type === 'header' ? line : null;
  }
  return null;
}

/** Whether a line that was broken off can be the beginning of one that stands there; the first one is a header. */
const mayBegin = (text: string, section: Section): boolean =>
  section !== 'start' || HEADER_BEGINS.startsWith(text.slice(0, HEADER_BEGINS.length));
const HEADER_BEGINS = '{"events":';

type Section = 'start' | 'events' | 'checkpoints' | 'end';

function sectionAfter({ type }: BundleLine): Section {
  if (type === 'end') return 'end';
  return type === 'checkpoint' ? 'checkpoints' : 'events';
}

function isInPlace(line: BundleLine, section: Section): boolean {
  switch (line.type) {
    case 'header':
      return section === 'start';
    case 'event':
    case 'skipped':
      return section === 'events';
    case 'checkpoint':
    case 'end':
      return section === 'events' || section === 'checkpoints';
  }
}

/** The signed checkpoints of the bundle and from elsewhere, smallest first, and which were given; those of other organizations don't count. */
function checkpointsOf(
  { lines, checkpoints: given = [] }: BundleInput,
  { orgId, open, find }: { orgId: string | null; open: (note: string) => string | null; find: Find },
): { checkpoints: Checkpoint[]; given: Checkpoint[]; areForeign: boolean } {
  const read: Checkpoint[] = [];
  const ofThis: Checkpoint[] = [];
  const isOfThis = (note: string): boolean => orgId !== null && note.startsWith(`stet/${orgId}\n`);
  const take = (note: string, line: number | null): void => {
    if (line === null && !isOfThis(note)) return;
    const text = open(note);
    const checkpoint = text === null ? null : checkpointOf(text);
    if (checkpoint?.orgId === orgId && checkpoint) {
      read.push(checkpoint);
      if (line === null) ofThis.push(checkpoint);
    } else find('signature', { line });
  };
  let number = 0;
  for (const text of lines) {
    number += 1;
    const line = text.includes('"checkpoint"') ? lineOfText(text) : null;
    if (line?.type === 'checkpoint') take(line.note, number);
  }
  for (const note of given) take(note, null);
  const areForeign = given.length > 0 && orgId !== null && !given.some(isOfThis);
  return { checkpoints: read.sort((one, other) => one.size - other.size), given: ofThis, areForeign };
}
