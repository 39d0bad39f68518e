import { type Evidence, type FieldKind, type InputField, isEvidence, isFileKind } from '@stet/domain/steps';
import { isolated } from '@stet/domain/workflows';

/** The values in a step's form fields, by name, before they are sent. */
export type Typed = Readonly<Record<string, string>>;

/** The names of a step's form fields. */
export const TEXT = 'text';
export const COMMENTS = 'comments';
export const fieldName = (fieldId: string): string => `field.${fieldId}`;

export const typedText = (typed: Typed, name: string): string => (typed[name] ?? '').trim();

/** Several choices as the text of their field. Options have no line breaks. */
export const typedChoices = (options: readonly string[]): string => options.join('\n');
export const choicesIn = (text: string): string[] => text.split('\n').filter((option) => option !== '');

/** A file in a form. `evidence` is absent until it is uploaded; `problem` says why the last attempt failed. */
export type FileEntry = { name: string; size: number; evidence?: Evidence; problem?: string };

/** Files as the text of their field, so that they survive a reload like all other input. */
export const typedFiles = (entries: readonly FileEntry[]): string =>
  entries.length === 0 ? '' : JSON.stringify(entries);

export function filesIn(text: string): FileEntry[] {
  try {
    const entries: unknown = JSON.parse(text || '[]');
    return Array.isArray(entries) ? entries.filter(isFileEntry) : [];
  } catch {
    return [];
  }
}

function isFileEntry(value: unknown): value is FileEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { name, size, evidence, problem } = value as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    typeof size === 'number' &&
    (evidence === undefined || isEvidence(evidence)) &&
    (problem === undefined || typeof problem === 'string')
  );
}

const lineOf = (kind: FieldKind, text: string): string =>
  kind === 'many_of'
    ? choicesIn(text).join(', ')
    : isFileKind(kind)
      ? filesIn(text)
          .map(({ name }) => isolated(name))
          .join(', ')
      : text;

/** The typed input, line by line, for reading or copying. */
export function typedLines(fields: readonly InputField[], typed: Typed): string[] {
  const named = fields.map(({ id, label, kind }) => {
    const text = typedText(typed, fieldName(id));
    return { label: `${isolated(label)}: `, text: lineOf(kind, text) };
  });
  const plain = [TEXT, COMMENTS].map((name) => ({ label: '', text: typedText(typed, name) }));
  return [...named, ...plain].flatMap(({ label, text }) => (text === '' ? [] : [label + text]));
}
