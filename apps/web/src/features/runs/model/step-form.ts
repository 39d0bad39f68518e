import { checkFieldValues, isolated } from '@stet/domain/workflows';
import type { InputField } from '@stet/domain/workflows';

/** What stands in the controls of one step, by their names; nothing of it has been sent. */
export type Typed = Readonly<Record<string, string>>;

/** The names of controls. */
export const TEXT = 'text';
export const COMMENTS = 'comments';
export const fieldName = (fieldId: string): string => `field.${fieldId}`;

export type StepOutput = { text: string; fields?: Record<string, string | number | boolean> };

const typedText = (typed: Typed, name: string): string => (typed[name] ?? '').trim();

/** A number or an answer as what it is, where it is one; the text itself is refused with a sentence. */
function valueOf({ kind }: InputField, text: string): string | number | boolean {
  if (kind === 'yes_no' && (text === 'yes' || text === 'no')) return text === 'yes';
  if (kind !== 'number') return text;
  const number = Number(text.replace(',', '.'));
  return Number.isFinite(number) ? number : text;
}

/** What is sent as a manual step's output: its text, and the values of its form by the field's id without empty ones. */
export function stepOutput(fields: readonly InputField[], typed: Typed): StepOutput {
  const text = typedText(typed, TEXT);
  if (fields.length === 0) return { text };
  const filled = fields.flatMap((field) => {
    const value = typedText(typed, fieldName(field.id));
    return value === '' ? [] : [[field.id, valueOf(field, value)] as const];
  });
  return { text, fields: Object.fromEntries(filled) };
}

/** What keeps the input from being sent, by the name of the control (specification, section 5). */
export function stepProblems(fields: readonly InputField[], typed: Typed): ReadonlyMap<string, string> {
  const { text, fields: values = {} } = stepOutput(fields, typed);
  if (fields.length === 0)
    return new Map(text === '' ? [[TEXT, 'Please provide input for this manual step'] as const] : []);
  return new Map(checkFieldValues(fields, values).map(({ fieldId, problem }) => [fieldName(fieldId), problem]));
}

/** What was typed, line by line, for a person to read or copy. */
export function typedLines(fields: readonly InputField[], typed: Typed): string[] {
  const named = fields.map(({ id, label }) => ({
    label: `${isolated(label)}: `,
    text: typedText(typed, fieldName(id)),
  }));
  const plain = [TEXT, COMMENTS].map((name) => ({ label: '', text: typedText(typed, name) }));
  return [...named, ...plain].flatMap(({ label, text }) => (text === '' ? [] : [label + text]));
}
