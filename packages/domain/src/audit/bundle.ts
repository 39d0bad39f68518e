import { bytesToHex, hexToBytes } from '@noble/hashes/utils';
import { canonicalJson } from '../workflows/canonical-json.ts';
import { toBase64 } from './base64.ts';
import type { AuditEvent, EventMac } from './events.ts';
import type { TreeNode } from './merkle.ts';
import { momentText, readMoment } from './moment.ts';
import type { SkippedSpan } from './verifier/trail-walk.ts';

/** The version of the bundle format; a new format gets a new number. */
export const BUNDLE_VERSION = 2;
/** Version 1 has no MACs, and its header has fewer fields. */
const FIRST_VERSION = 1;

/** A bundle's header. Times are ISO 8601 in UTC. If a bound is null, the range is open at that end. */
export type BundleHeader = {
  type: 'header';
  version: number;
  org: { id: string; name: string };
  range: { from: string | null; to: string | null; runId: string | null };
  exportedAt: string;
  exportedBy: { id: string; name: string; email: string };
  /** The number of events, and the number of the last event covered. */
  events: number;
  last: number;
  /** The number of the last event without a MAC; 0 if all have one. Absent in version 1. */
  withoutMac?: number;
  /**
   * The last full verification without findings before the export: when it ended, and the last event that it covered.
   */
  verified?: { at: string; size: number } | null;
  /** The problem that the verification before the export found; null if there was none. */
  finding?: { seq: number; problem: string } | null;
  /** The key that signs the checkpoints and the end, in the format of `writeNoteKey`. */
  key: string;
};

/**
 * A line of a bundle: canonical JSON. Each number from 1 to `last` belongs to an event or a skipped span, in order. A
 * span has the fewest complete subtrees over the hashes of its events, so roots can be computed without the events. The
 * signature of the end covers all lines before it.
 */
export type BundleLine =
  | BundleHeader
  | { type: 'event'; event: AuditEvent }
  | ({ type: 'skipped' } & SkippedSpan)
  | { type: 'checkpoint'; note: string }
  | { type: 'end'; note: string };

/** Writes one line without its line break. */
export function writeBundleLine(line: BundleLine): string {
  switch (line.type) {
    case 'event': {
      const { at, salt, digest, prev, hash, mac, ...event } = line.event;
      const bytes = { digest: bytesToHex(digest), prev: bytesToHex(prev), hash: bytesToHex(hash) };
      const made = mac && { mac: bytesToHex(mac.bytes), madeAt: momentText(mac.madeAt) };
      return canonicalJson({
        type: 'event',
        ...event,
        at: momentText(at),
        salt: salt && bytesToHex(salt),
        ...bytes,
        ...made,
      });
    }
    case 'skipped':
      return canonicalJson({ ...line, nodes: line.nodes.map(({ level, hash }) => [level, bytesToHex(hash)]) });
    case 'header':
    case 'checkpoint':
    case 'end':
      return canonicalJson(line);
  }
}

/** Reads a line written by `writeBundleLine`. Returns null for any other text, even if it differs by only one space. */
export function readBundleLine(text: string): BundleLine | null {
  try {
    const line = lineOf(JSON.parse(text) as unknown);
    return line !== null && writeBundleLine(line) === text ? line : null;
  } catch {
    return null;
  }
}

/**
 * Returns the text that is signed at the end of a bundle. It contains the organization, the number of lines before the
 * end, and the SHA-256 of those lines including their line breaks.
 */
export function endText({ orgId, lines, digest }: { orgId: string; lines: number; digest: Uint8Array }): string {
  return `stet export of ${orgId}\n${lines} lines\n${toBase64(digest)}\n`;
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const bytes = (value: unknown): Uint8Array => {
  if (!isText(value) || !/^(?:[0-9a-f]{2})*$/.test(value)) throw new TypeError('no bytes');
  return hexToBytes(value);
};

function lineOf(value: unknown): BundleLine | null {
  if (!isFields(value)) return null;
  switch (value['type']) {
    case 'header':
      return headerOf(value);
    case 'event':
      return eventOf(value);
    case 'skipped':
      return skippedOf(value);
    case 'checkpoint':
    case 'end':
      return isText(value['note']) ? { type: value['type'], note: value['note'] } : null;
    default:
      return null;
  }
}

function headerOf(fields: Fields): BundleHeader | null {
  const { version, org, range, exportedAt, exportedBy, events, last, key, withoutMac, verified, finding } = fields;
  if (!isFields(org) || !isFields(range) || !isFields(exportedBy)) return null;
  const { id, name } = org;
  const { from, to, runId } = range;
  const { id: userId, name: userName, email } = exportedBy;
  if (!isText(id) || !isText(name) || !isText(userId) || !isText(userName) || !isText(email)) return null;
  if (!isTextOrNull(from) || !isTextOrNull(to) || !isTextOrNull(runId)) return null;
  if (version !== BUNDLE_VERSION && version !== FIRST_VERSION) return null;
  if (!isText(exportedAt) || !isText(key) || !isCount(events) || !isCount(last)) return null;
  const isWhole = verified === null || (isFields(verified) && isText(verified['at']) && isCount(verified['size']));
  const isFinding = finding === null || (isFields(finding) && isText(finding['problem']) && isCount(finding['seq']));
  if (version === BUNDLE_VERSION && !(isCount(withoutMac) && isWhole && isFinding)) return null;
  return {
    type: 'header',
    version,
    org: { id, name },
    range: { from, to, runId },
    exportedAt,
    exportedBy: { id: userId, name: userName, email },
    events,
    last,
    key,
    ...(version === BUNDLE_VERSION && {
      withoutMac: Number(withoutMac),
      verified: isFields(verified) ? { at: String(verified['at']), size: Number(verified['size']) } : null,
      finding: isFields(finding) ? { seq: Number(finding['seq']), problem: String(finding['problem']) } : null,
    }),
  };
}

function eventOf(fields: Fields): BundleLine | null {
  const { orgId, seq, actor, action, subjectType, subjectId, runId, payload, salt } = fields;
  const at = isText(fields['at']) ? readMoment(fields['at']) : null;
  if (!isText(orgId) || !isCount(seq) || at === null || !isText(actor) || !isText(action)) return null;
  if (!isText(subjectType) || !isText(subjectId) || !isTextOrNull(runId) || !isTextOrNull(payload)) return null;
  const columns = { actor, action, subjectType, subjectId, runId };
  const hashes = { digest: bytes(fields['digest']), prev: bytes(fields['prev']), hash: bytes(fields['hash']) };
  return {
    type: 'event',
    event: {
      orgId,
      seq,
      at,
      ...columns,
      payload,
      salt: salt === null ? null : bytes(salt),
      ...hashes,
      mac: macOf(fields),
    },
  };
}

function macOf({ mac, madeAt }: Fields): EventMac | null {
  if (mac === undefined) return null;
  const moment = isText(madeAt) ? readMoment(madeAt) : null;
  if (moment === null) throw new TypeError('no moment');
  return { madeAt: moment, bytes: bytes(mac) };
}

function skippedOf({ from, to, nodes }: Fields): BundleLine | null {
  if (!isCount(from) || !isCount(to) || !Array.isArray(nodes)) return null;
  const read = nodes.map((node: unknown): TreeNode => {
    const [level, hash] = Array.isArray(node) ? (node as unknown[]) : [];
    if (!isCount(level)) throw new TypeError('no subtree');
    return { level, hash: bytes(hash) };
  });
  return { type: 'skipped', from, to, nodes: read };
}
