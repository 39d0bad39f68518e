import { isolated } from '@stet/domain/workflows';
import type { AuditEventView } from '@stet/contract';
import { formatDate } from '../../../lib/format/time.ts';
import { SUBJECT_WORDS, isSubject } from './action-words.ts';

type Data = Readonly<Record<string, unknown>>;
const textOf = (data: Data, name: string): string | null => {
  const value = data[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

/**
 * An event's subject, for example 'vendor-onboarding, draft 8f31c2d0' or 'Nordlicht GmbH, Assess risk tier'. Empty if
 * there is nothing to name.
 */
export function subjectWords({ action, actor, subject, run, step, data: given }: AuditEventView): string {
  const data = given ?? {};
  if (action === 'audit.exported') return exportWords(data, run);
  if (action === 'workflow.exported') return workflowWords(subject.id, subject);
  if (action === 'organization.runs_exported') return '';
  if (run)
    return [run.name ?? `run ${shortId(run.id)}`, step && (step.title ?? step.id)]
      .flatMap((part) => (part ? [isolated(part)] : []))
      .join(', ');
  const key = textOf(data, 'key');
  const called = key === null ? null : workflowWords(key, subject);
  if (action === 'version.rolled_back')
    return called === null ? shortId(subject.id) : `${called}, to v${String(data['to'])}`;
  if (subject.type === 'version') {
    const version = typeof data['version'] === 'number' ? `v${data['version']}` : `draft ${shortId(subject.id)}`;
    return called === null ? version : `${called}, ${version}`;
  }
  if (subject.type === 'user' && subject.id !== actor.id)
    return textOf(data, 'name') ?? textOf(data, 'email') ?? subject.name ?? '';
  const name = called ?? textOf(data, 'email') ?? textOf(data, 'name') ?? nameIn(data['after']);
  if (name !== null) return name;
  return isSubject(subject.type) && subject.type !== 'user' ? SUBJECT_WORDS[subject.type] : '';
}

/** A workflow's name with its key, or the key alone if the name is unknown. */
const workflowWords = (key: string, { type, name }: AuditEventView['subject']): string =>
  name !== null && (type === 'workflow' || type === 'version') ? `${isolated(name)} (${key})` : key;

/** The key of the workflow that an event is about, or null. */
export function workflowOf({ subject, data }: AuditEventView): string | null {
  if (subject.type !== 'workflow' && subject.type !== 'version') return null;
  return textOf(data ?? {}, 'key') ?? (subject.type === 'workflow' ? subject.id : null);
}

/** Says which events between these numbers are hidden by a filter. Null if there are none. */
export function hiddenWords(newer: number, older: number): string | null {
  const [first, last] = [older + 1, newer - 1];
  if (last < first) return null;
  return first === last ? `Event ${first} is hidden by the filter` : `Events ${first}–${last} are hidden by the filter`;
}

function nameIn(value: unknown): string | null {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
    ? value.name
    : null;
}

function exportWords(data: Data, run: AuditEventView['run']): string {
  if (run) return run.name ?? `run ${shortId(run.id)}`;
  const [from, to] = [textOf(data, 'from'), textOf(data, 'to')];
  if (from !== null && to !== null) return `${formatDate(from)} to ${formatDate(to)}`;
  if (from !== null) return `from ${formatDate(from)}`;
  return to === null ? 'everything' : `until ${formatDate(to)}`;
}

/** Ids created at about the same time have the same first characters, so this uses the last ones. */
const shortId = (id: string): string => (id.length > 8 ? id.slice(-8) : id);
/** The beginning and the end of a hash, for example `b7c4 d10e 52f9 … 6a83`. */
export function hashInParts(hash: string): string {
  const parts = hash.match(/.{4}/g) ?? [];
  return parts.length > 4 ? `${parts.slice(0, 3).join(' ')} … ${parts.at(-1)}` : parts.join(' ');
}

/** One line of an event's details. `mono` marks text to show in a fixed-width font. */
type EventLine = { label: string; text: string; mono?: true };

const LABELS: Readonly<Record<string, string>> = {
  comment: 'Comment',
  comments: 'Comment',
  body: 'Comment',
  contentHash: 'Content',
  previousContentHash: 'Content before',
  endsOwnRequest: 'Ends their own request for changes',
  toVersionId: 'To version',
  fromVersionId: 'From version',
  baseVersionId: 'Based on',
  headSeq: 'Chain head',
  headHash: 'Hash of the head',
  dueAt: 'Due',
  targetMs: 'SLA target',
};
// The row or another line shows these, or they are only useful to programs.
const SHOWN_ELSEWHERE = new Set([
  'type',
  'at',
  'by',
  'stepId',
  'key',
  'format',
  'votes',
  'required',
  'before',
  'after',
  'activation',
]);

/**
 * The details of an event that the row doesn't show in full, such as the subject, texts, hashes and the previous event.
 */
export function eventLines(event: AuditEventView): EventLine[] {
  const { data, isErased, actor, sessionId, seq, prev, hash } = event;
  const lines: EventLine[] = [];
  const what = subjectWords(event);
  // Repeat the subject, because the row may have truncated it.
  if (what !== '') lines.push({ label: 'Subject', text: what });
  if (isErased)
    lines.push({
      label: 'Content',
      text: 'Personal data was erased from this event. Its hash still links the chain.',
    });
  else if (data === null) lines.push({ label: 'Content', text: 'No further details.' });
  for (const [name, label] of [
    ['before', 'Before'],
    ['after', 'After'],
  ] as const) {
    if (data?.[name] !== undefined) lines.push({ label, text: plain(data[name]) });
  }
  for (const [name, value] of Object.entries(data ?? {})) {
    if (SHOWN_ELSEWHERE.has(name) || value === null || value === '') continue;
    lines.push(lineOf(name, value));
  }
  if (actor.email !== null) lines.push({ label: 'By', text: `${isolated(actor.name)} <${actor.email}>` });
  if (sessionId !== null) lines.push({ label: 'Session', text: sessionId, mono: true });
  lines.push({ label: 'Recorded', text: event.at, mono: true });
  lines.push({ label: 'Hash', text: hash, mono: true });
  lines.push({
    label: 'Previous',
    text: seq > 1 ? `${prev.slice(0, 6)}, no. ${seq - 1}` : 'none, because this is the first event',
    ...(seq > 1 && { mono: true as const }),
  });
  return lines;
}

function lineOf(name: string, value: unknown): EventLine {
  const label = LABELS[name] ?? sentenceCase(name);
  if (name === 'dueAt' && typeof value === 'number') return { label, text: new Date(value).toISOString() };
  const text = plain(value);
  if (name.endsWith('Hash')) return { label, text: `sha256 ${hashInParts(text)}`, mono: true };
  if (name.endsWith('Id')) return { label, text, mono: true };
  return { label, text: label === 'Comment' || name === 'reason' ? `“${text}”` : text };
}

/**
 * A value as text: strings unchanged, lists and fields separated by commas, anything else as JSON. For an object whose
 * only field is `text`, that text.
 */
function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(plain).join(', ');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value);
  const [only] = entries;
  if (only && entries.length === 1 && only[0] === 'text') return plain(only[1]);
  return entries.map(([name, inner]) => `${sentenceCase(name).toLowerCase()}: ${plain(inner)}`).join(', ');
}

function sentenceCase(name: string): string {
  const words = name
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase()
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
