import type { AuditEvent } from '../events.ts';

/** A file that an event names. `sha256` is in lower-case hex, and `size` in bytes; `seq` is the event's number. */
export type NamedFile = {
  seq: number;
  fileId: string;
  sha256: string;
  size: number;
  name: string;
  mediaType: string;
};

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const NAMING: readonly string[] = ['step.completed', 'step.submitted', 'note.added'];
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/**
 * Returns the files that an event names: those in a person's input for a step or in a note. Outputs of scripts can
 * contain anything, so they name no files. Never throws; an unreadable payload is a finding of the event.
 */
export function filesNamedIn({ seq, action, payload }: Pick<AuditEvent, 'seq' | 'action' | 'payload'>): NamedFile[] {
  if (payload === null || !NAMING.includes(action)) return [];
  if (!payload.includes('"sha256"')) return [];
  const { actor, data } = recordIn(payload);
  if (fieldsOf(actor)['kind'] === 'system') return [];
  const { output, files } = fieldsOf(data);
  const lists = action === 'note.added' ? [files] : Object.values(fieldsOf(fieldsOf(output)['fields']));
  return lists.flatMap((list) => (Array.isArray(list) ? list.flatMap((item) => namedFile(seq, item)) : []));
}

function recordIn(payload: string): Fields {
  try {
    return fieldsOf(JSON.parse(payload));
  } catch {
    return {};
  }
}

function namedFile(seq: number, value: unknown): NamedFile[] {
  const { fileId, sha256, size, name, mediaType } = fieldsOf(value);
  if (typeof fileId !== 'string' || !UUID.test(fileId)) return [];
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256) || !Number.isSafeInteger(size)) return [];
  if (typeof name !== 'string' || typeof mediaType !== 'string') return [];
  return [{ seq, fileId, sha256, size: Number(size), name, mediaType }];
}
