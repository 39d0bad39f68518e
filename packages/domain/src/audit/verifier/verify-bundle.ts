import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import type { BundleHeader, BundleLine } from '../bundle.ts';
import type { Checkpoint } from '../checkpoint.ts';
import type { MacCheck } from '../event-mac.ts';
import type { AuditEvent } from '../events.ts';
import { inOrder, verdictOf, type BundleVerdict, type Find, type Finding } from '../findings.ts';
import type { NoteKey, VerifySignature } from '../note.ts';
import { lineOfText } from './lines.ts';
import { checkpointOf, isEndOf, keyOfText, textOfNote } from './notes.ts';
import { openTrailWalk } from './trail-walk.ts';

/** Findings beyond this number are only counted, because one bad event can cause a thousand. */
export const MAX_FINDINGS = 100;

export type BundleInput = {
  /** The lines without line breaks. They are iterated several times. */
  lines: Iterable<string>;
  /** False if the last line has no line break; called after all lines were read. True by default. */
  isWhole?: () => boolean;
  /** Checkpoints saved elsewhere: only these can reveal that someone with the signing key rewrote the whole bundle. */
  checkpoints?: readonly string[];
  /**
   * Trusted keys. If there are none, the bundle's own key is used. It reveals damage, but can't reveal a forgery
   * without checkpoints.
   */
  keys: readonly NoteKey[];
  verifySignature: VerifySignature;
  /** Checks a MAC with the installation's key; without it, MACs are not checked. */
  isMac?: MacCheck['isMac'];
  /** Receives each readable event in the order of the lines, whether or not it is valid. */
  onEvent?: (event: AuditEvent) => void;
};

/**
 * The result of a verification. `sealed` is the largest valid checkpoint. `trust` is the proof of origin: a given key,
 * a valid given checkpoint, or nothing, because the bundle's own key only proves that the bundle is consistent. `macs`:
 * whether MACs were checked, couldn't be checked without a key, or don't exist in this version.
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
  macs: 'checked' | 'unchecked' | 'none';
};

/**
 * Verifies a bundle (decision 12): every event and its position, the signed checkpoints, and that the file matches the
 * export. It never refuses a file: each problem becomes a finding, and the first bad event comes first.
 */
export function verifyBundle(input: BundleInput): BundleReport {
  // Findings with and without an event's number have separate limits, so that the latter don't displace the first bad
  // event.
  const found: Record<'numbered' | 'others', Finding[]> = { numbered: [], others: [] };
  let findingsInAll = 0;
  const find: Find = (kind, { seq = null, line = null } = {}) => {
    findingsInAll += 1;
    const list = seq === null ? found.others : found.numbered;
    if (list.length < MAX_FINDINGS) list.push({ kind, seq, line });
  };

  const header = headerOf(input.lines);
  const own = header && keyOfText(header.key);
  const keys = input.keys.length > 0 ? input.keys : own ? [own] : [];
  const orgId = header?.org.id ?? null;
  const open = (note: string): string | null => textOfNote(note, keys, input.verifySignature);
  const { checkpoints, given, areForeign } = checkpointsOf(input, { orgId, open, find });

  const none = header?.withoutMac;
  const macs = none !== undefined && input.isMac ? { none, isMac: input.isMac } : null;
  const walk = openTrailWalk({ orgId, checkpoints, find, macs });
  const seen = new Set<string>();
  const digest = sha256.create();
  let number = 0;
  let section = 'start' as Section;
  // Each line is handled only after the next one has been read. Until then, it might be a last line that was cut off.
  let pending: string | null = null;
  const take = (text: string, isLast: boolean): void => {
    number += 1;
    const line = lineOfText(text);
    if (line === null) {
      const isBroken = isLast && input.isWhole?.() === false && section !== 'end' && canBegin(text, section);
      if (!isBroken && section === 'events') walk.unreadable(number);
      else if (!isBroken) find('unreadable', { line: number });
    } else if (!isInPlace(line, section)) find('bundle', { line: number });
    if (line?.type === 'event') {
      walk.event(line.event);
      input.onEvent?.(line.event);
      const mac = macs && line.event.mac ? bytesToHex(line.event.mac.bytes) : null;
      if (mac !== null && seen.has(mac)) find('repeated', { seq: line.event.seq });
      if (mac !== null) seen.add(mac);
    }
    if (line?.type === 'skipped') walk.skipped(line);
    if (line?.type === 'end') {
      const endText = open(line.note);
      if (endText === null) find('signature', { line: number });
      else if (!isEndOf(endText, { orgId: orgId ?? '', lines: number - 1, digest: digest.clone().digest() }))
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
  const findings = inOrder([...found.numbered, ...found.others]).slice(0, MAX_FINDINGS);
  return {
    verdict: verdictOf(findings),
    findings,
    findingsInAll,
    header,
    events: walked.events,
    skipped: walked.skipped,
    head: walked.head,
    sealed: walked.sealed,
    trust: input.keys.length > 0 ? 'key' : given.some((one) => walked.matched.has(one)) ? 'checkpoints' : 'none',
    macs: macs ? 'checked' : none === undefined ? 'none' : 'unchecked',
  };
}

function headerOf(lines: Iterable<string>): BundleHeader | null {
  for (const text of lines) {
    const line = lineOfText(text);
    return line?.type === 'header' ? line : null;
  }
  return null;
}

/** Returns whether an unreadable last line may have been cut off. Checks only the header, which is the first line. */
const canBegin = (text: string, section: Section): boolean =>
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

/**
 * Returns the signed checkpoints from the bundle and the caller, smallest first, and those of the caller again in
 * `given`. Given checkpoints of other organizations are ignored; in the bundle they are findings.
 */
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
