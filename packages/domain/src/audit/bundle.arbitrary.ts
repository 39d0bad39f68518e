import { sha256 } from '@noble/hashes/sha2';
import { utf8ToBytes } from '@noble/hashes/utils';
import { ORG } from './audit.arbitrary.ts';
import { BUNDLE_VERSION, endText, writeBundleLine, type BundleHeader, type BundleLine } from './bundle.ts';
import { checkpointText, originOf } from './checkpoint.ts';
import type { AuditEvent } from './events.ts';
import { appendLeaf, emptyRange, merkleRoot, type TreeRange } from './merkle.ts';
import { signNote, writeNoteKey, type NoteKey } from './note.ts';
import { keyNamed, signerOf } from './signing.arbitrary.ts';

export const KEY = keyNamed(originOf(ORG));
export const FORGER = keyNamed(originOf(ORG), 2);
export const EXPORTED_AT = '2026-11-22T00:00:00.000Z';

/** Test support: returns the checkpoint of the first `size` events. */
export function checkpointOver(
  events: readonly AuditEvent[],
  size: number,
  key = KEY,
  at = '2026-11-21T12:00:00.000Z',
  orgId = ORG,
): string {
  const head = events[size - 1]?.hash;
  if (head === undefined) throw new Error('no such event');
  const root = merkleRoot(events.slice(0, size).map(({ hash }) => hash));
  return signNote(checkpointText({ orgId, size, root, head, at }), key, signerOf(key.publicKey));
}

export function headerOf(events: number, last: number, change: Partial<BundleHeader> = {}): BundleHeader {
  return {
    type: 'header',
    version: BUNDLE_VERSION,
    org: { id: ORG, name: 'Halden Works' },
    range: { from: null, to: null, runId: null },
    exportedAt: EXPORTED_AT,
    exportedBy: { id: 'user-1', name: 'Priya Nair', email: 'priya@example.com' },
    events,
    last,
    withoutMac: last,
    verified: { at: '2026-11-21T02:13:00.000Z', size: last },
    finding: null,
    key: writeNoteKey(KEY),
    ...change,
  };
}

/** Test support: returns lines with their signed end. */
export function ended(lines: readonly string[], key: NoteKey = KEY, orgId = ORG): string[] {
  const digest = sha256(utf8ToBytes(lines.map((line) => `${line}\n`).join('')));
  const note = signNote(endText({ orgId, lines: lines.length, digest }), key, signerOf(key.publicKey));
  return [...lines, writeBundleLine({ type: 'end', note })];
}

/**
 * Test support: returns the bundle of a whole trail, or of the events that `isTaken` selects, with skipped spans
 * between them.
 */
export function bundleOf(
  events: readonly AuditEvent[],
  sizes: readonly number[],
  {
    isTaken = () => true,
    header = {},
    key = KEY,
    orgId = ORG,
  }: {
    isTaken?: (event: AuditEvent) => boolean;
    header?: Partial<BundleHeader>;
    key?: NoteKey;
    orgId?: string;
  } = {},
): string[] {
  const body: BundleLine[] = [];
  let span: TreeRange = emptyRange();
  const closeSpan = (): void => {
    if (span.to > span.from) body.push({ type: 'skipped', from: span.from + 1, to: span.to, nodes: span.nodes });
    span = emptyRange(span.to);
  };
  for (const event of events) {
    if (!isTaken(event)) {
      span = appendLeaf(span, event.hash);
      continue;
    }
    closeSpan();
    body.push({ type: 'event', event });
    span = emptyRange(event.seq);
  }
  closeSpan();
  const taken = events.filter(isTaken).length;
  const checkpoints = sizes.map((size): BundleLine => ({
    type: 'checkpoint',
    note: checkpointOver(events, size, key, undefined, orgId),
  }));
  const all = [headerOf(taken, events.length, header), ...body, ...checkpoints];
  return ended(all.map(writeBundleLine), key, orgId);
}
