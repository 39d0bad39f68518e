import type { BundleHeader, BundleLine } from '../bundle.ts';
import { bytesOfHex, canonicalText } from './bytes.ts';

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const hasOnly = (value: Fields, ...names: string[]): boolean =>
  Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));

/** Parses a line of a bundle; null unless it is valid and in canonical form. */
export function lineOfText(text: string): BundleLine | null {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) && canonicalText(value) === text ? lineOf(value) : null;
  } catch {
    return null;
  }
}

function lineOf(value: Fields): BundleLine | null {
  const { type, note } = value;
  if (type === 'header') return headerOf(value);
  if (type === 'event') return eventOf(value);
  if (type === 'skipped') return skippedOf(value);
  if (type !== 'checkpoint' && type !== 'end') return null;
  return hasOnly(value, 'type', 'note') && isText(note) ? { type, note } : null;
}

const HEADER = 'type version org range exportedAt exportedBy events last key'.split(' ');

function headerOf(value: Fields): BundleHeader | null {
  const { version, org, range, exportedAt, exportedBy, events, last, key } = value;
  if (version !== 1 && version !== 2) return null;
  if (!hasOnly(value, ...HEADER, ...(version === 2 ? ['withoutMac', 'verified', 'finding'] : []))) return null;
  const second = version === 2 ? secondVersion(value) : {};
  if (second === null) return null;
  if (!isText(exportedAt) || !isCount(events) || !isCount(last) || !isText(key)) return null;
  if (!isFields(org) || !isFields(range) || !isFields(exportedBy)) return null;
  const [{ id, name }, { from, to, runId }] = [org, range];
  const { id: userId, name: userName, email } = exportedBy;
  if (!hasOnly(org, 'id', 'name') || !isText(id) || !isText(name)) return null;
  if (!hasOnly(range, 'from', 'to', 'runId') || !isTextOrNull(from) || !isTextOrNull(to) || !isTextOrNull(runId))
    return null;
  if (!hasOnly(exportedBy, 'id', 'name', 'email') || !isText(userId) || !isText(userName) || !isText(email))
    return null;
  const by = { id: userId, name: userName, email };
  return {
    type: 'header',
    version,
    org: { id, name },
    range: { from, to, runId },
    exportedAt,
    exportedBy: by,
    events,
    last,
    key,
    ...second,
  };
}

/** Returns the header fields that version 2 adds. */
function secondVersion({ withoutMac, verified, finding }: Fields): Partial<BundleHeader> | null {
  if (!isCount(withoutMac)) return null;
  const [whole, found] = [isFields(verified) ? verified : null, isFields(finding) ? finding : null];
  if ((whole === null && verified !== null) || (found === null && finding !== null)) return null;
  const { at, size } = whole ?? {};
  const { seq, problem } = found ?? {};
  if (whole && !(hasOnly(whole, 'at', 'size') && isText(at) && isCount(size))) return null;
  if (found && !(hasOnly(found, 'seq', 'problem') && isText(problem) && isCount(seq))) return null;
  return {
    withoutMac,
    verified: isText(at) && isCount(size) ? { at, size } : null,
    finding: isText(problem) && isCount(seq) ? { seq, problem } : null,
  };
}

const EVENT = 'type orgId seq at actor action subjectType subjectId runId payload salt digest prev hash'.split(' ');

function eventOf(value: Fields): BundleLine | null {
  const hasMac = Object.hasOwn(value, 'mac');
  if (!hasOnly(value, ...EVENT, ...(hasMac ? ['mac', 'madeAt'] : []))) return null;
  const { orgId, seq, actor, action, subjectType, subjectId, runId, payload } = value;
  const at = microseconds(value['at']);
  const [salt, digest, prev, hash] = ['salt', 'digest', 'prev', 'hash'].map((name) => bytesOfHex(value[name]));
  if (!isText(orgId) || !isCount(seq) || at === null || !isText(actor) || !isText(action)) return null;
  if (!isText(subjectType) || !isText(subjectId) || !isTextOrNull(runId) || !isTextOrNull(payload)) return null;
  if (!digest || !prev || !hash || (!salt && value['salt'] !== null)) return null;
  const [madeAt, bytes] = [microseconds(value['madeAt']), bytesOfHex(value['mac'])];
  const mac = madeAt !== null && bytes ? { madeAt, bytes } : null;
  if (hasMac && mac === null) return null;
  const columns = { actor, action, subjectType, subjectId, runId };
  return { type: 'event', event: { orgId, seq, at, ...columns, payload, salt: salt ?? null, digest, prev, hash, mac } };
}

function skippedOf(value: Fields): BundleLine | null {
  const { from, to, nodes } = value;
  if (!hasOnly(value, 'type', 'from', 'to', 'nodes') || !isCount(from) || !isCount(to) || !Array.isArray(nodes))
    return null;
  const read = nodes.flatMap((node: unknown) => {
    const [level, hex, ...more] = Array.isArray(node) ? (node as unknown[]) : [];
    const hash = bytesOfHex(hex);
    return isCount(level) && hash && more.length === 0 ? [{ level, hash }] : [];
  });
  return read.length === nodes.length ? { type: 'skipped', from, to, nodes: read } : null;
}

/**
 * Returns a time such as `2026-11-21T03:12:44.123456Z` in microseconds since 1970; null for any other text, including
 * days that don't exist.
 */
export function microseconds(value: unknown): bigint | null {
  const [, seconds, fraction] = (isText(value) && /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{6})Z$/.exec(value)) || [];
  if (seconds === undefined || fraction === undefined) return null;
  const time = Date.parse(`${seconds}Z`);
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(seconds);
  return isDay ? BigInt(time) * 1000n + BigInt(fraction) : null;
}
