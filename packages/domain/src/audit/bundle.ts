import { bytesToHex, hexToBytes } from '@noble/hashes/utils';
import { canonicalJson } from '../workflows/canonical-json.ts';
import { toBase64 } from './base64.ts';
import type { AuditEvent } from './events.ts';
import type { TreeNode } from './merkle.ts';
import { momentText, readMoment } from './moment.ts';
import type { SkippedSpan } from './verifier/trail-walk.ts';

/** The version of the form of a bundle; a new form gets a new number. */
export const BUNDLE_VERSION = 1;

/** What a bundle says of itself. Moments are ISO 8601 in UTC; null bounds are open. */
export type BundleHeader = {
  type: 'header';
  version: number;
  org: { id: string; name: string };
  range: { from: string | null; to: string | null; runId: string | null };
  exportedAt: string;
  exportedBy: { id: string; name: string; email: string };
  /** How many events it has, and the number of the last one that it accounts for. */
  events: number;
  last: number;
  /** Who signs its checkpoints and its end, as `writeNoteKey` writes it. */
  key: string;
};

/**
 * A line of a bundle: JSON in canonical form. Every number from 1 to `last` is in an event or a skipped span, in order;
 * a span is the fewest complete subtrees over the hashes of its events, so that roots can be had without them. The end is
 * signed over all before it.
 */
export type BundleLine =
  | BundleHeader
  | { type: 'event'; event: AuditEvent }
  | ({ type: 'skipped' } & SkippedSpan)
  | { type: 'checkpoint'; note: string }
  | { type: 'end'; note: string };

/** One line, without its line break. */
export function writeBundleLine(line: BundleLine): string {
  switch (line.type) {
    case 'event': {
      const { at, salt, digest, prev, hash, ...event } = line.event;
      const bytes = { digest: bytesToHex(digest), prev: bytesToHex(prev), hash: bytesToHex(hash) };
      return canonicalJson({ type: 'event', ...event, at: momentText(at), salt: salt && bytesToHex(salt), ...bytes });
    }
    case 'skipped':
      return canonicalJson({ ...line, nodes: line.nodes.map(({ level, hash }) => [level, bytesToHex(hash)]) });
    case 'header':
    case 'checkpoint':
    case 'end':
      return canonicalJson(line);
  }
}

/** Reads what `writeBundleLine` wrote; null for anything else, be it one space more. */
export function readBundleLine(text: string): BundleLine | null {
  try {
    const line = lineOf(JSON.parse(text) as unknown);
    return line !== null && writeBundleLine(line) === text ? line : null;
  } catch {
    return null;
  }
}

/** What the end of a bundle signs: the organization, how many lines stand before it, and SHA-256 of them with their breaks. */
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

function headerOf({ version, org, range, exportedAt, exportedBy, events, last, key }: Fields): BundleHeader | null {
  if (!isFields(org) || !isFields(range) || !isFields(exportedBy)) return null;
  const { id, name } = org;
  const { from, to, runId } = range;
  const { id: userId, name: userName, email } = exportedBy;
  if (!isText(id) || !isText(name) || !isText(userId) || !isText(userName) || !isText(email)) return null;
  if (!isTextOrNull(from) || !isTextOrNull(to) || !isTextOrNull(runId)) return null;
  if (version !== BUNDLE_VERSION || !isText(exportedAt) || !isText(key) || !isCount(events) || !isCount(last))
    return null;
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
    event: { orgId, seq, at, ...columns, payload, salt: salt === null ? null : bytes(salt), ...hashes },
  };
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
