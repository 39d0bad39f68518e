import type { BundleHeader, BundleLine } from '../bundle.ts';
import { bytesOfHex, canonicalText } from './bytes.ts';

const VERSION = 1;

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const hasOnly = (value: Fields, ...names: string[]): boolean =>
  Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));

/** A line of a bundle; null for anything that is not exactly one, in canonical form. */
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

function headerOf(value: Fields): BundleHeader | null {
  const { version, org, range, exportedAt, exportedBy, events, last, key } = value;
  if (!hasOnly(value, 'type', 'version', 'org', 'range', 'exportedAt', 'exportedBy', 'events', 'last', 'key'))
    return null;
  if (version !== VERSION || !isText(exportedAt) || !isCount(events) || !isCount(last) || !isText(key)) return null;
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
  };
}

const EVENT = 'type orgId seq at actor action subjectType subjectId runId payload salt digest prev hash'.split(' ');

function eventOf(value: Fields): BundleLine | null {
  if (!hasOnly(value, ...EVENT)) return null;
  const { orgId, seq, actor, action, subjectType, subjectId, runId, payload } = value;
  const at = microseconds(value['at']);
  const [salt, digest, prev, hash] = ['salt', 'digest', 'prev', 'hash'].map((name) => bytesOfHex(value[name]));
  if (!isText(orgId) || !isCount(seq) || at === null || !isText(actor) || !isText(action)) return null;
  if (!isText(subjectType) || !isText(subjectId) || !isTextOrNull(runId) || !isTextOrNull(payload)) return null;
  if (!digest || !prev || !hash || (!salt && value['salt'] !== null)) return null;
  const columns = { actor, action, subjectType, subjectId, runId };
  return { type: 'event', event: { orgId, seq, at, ...columns, payload, salt: salt ?? null, digest, prev, hash } };
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

/** Microseconds since 1970 of a moment such as `2026-11-21T03:12:44.123456Z`; null for any other text, and days that there aren't. */
function microseconds(value: unknown): bigint | null {
  const [, seconds, fraction] = (isText(value) && /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{6})Z$/.exec(value)) || [];
  if (seconds === undefined || fraction === undefined) return null;
  const time = Date.parse(`${seconds}Z`);
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(seconds);
  return isDay ? BigInt(time) * 1000n + BigInt(fraction) : null;
}
