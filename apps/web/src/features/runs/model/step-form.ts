import { checkFieldValues, type InputField } from '@stet/domain/steps';
import { isolated } from '@stet/domain/workflows';

/** The values in a step's form fields, by name, before they are sent. */
export type Typed = Readonly<Record<string, string>>;

/** The names of form fields. */
export const TEXT = 'text';
export const COMMENTS = 'comments';
export const fieldName = (fieldId: string): string => `field.${fieldId}`;

export type StepOutput = { text: string; fields?: Record<string, string | number | boolean> };

const typedText = (typed: Typed, name: string): string => (typed[name] ?? '').trim();

/**
 * Converts the text to a number or boolean if it is one. Otherwise the text itself is used, which is refused with a
 * message.
 */
function valueOf({ kind }: InputField, text: string): string | number | boolean {
  if (kind === 'yes_no' && (text === 'yes' || text === 'no')) return text === 'yes';
  if (kind !== 'number') return text;
  const number = Number(text.replace(',', '.'));
  return Number.isFinite(number) ? number : text;
}

/** The output of a manual step: its text, and the form values by field id without empty ones. */
export function stepOutput(fields: readonly InputField[], typed: Typed): StepOutput {
  const text = typedText(typed, TEXT);
  if (fields.length === 0) return { text };
  const filled = fields.flatMap((field) => {
    const value = typedText(typed, fieldName(field.id));
    return value === '' ? [] : [[field.id, valueOf(field, value)] as const];
  });
  return { text, fields: Object.fromEntries(filled) };
}

/** The form's errors by field name (specification, section 5). */
export function stepProblems(fields: readonly InputField[], typed: Typed): ReadonlyMap<string, string> {
  const { text, fields: values = {} } = stepOutput(fields, typed);
  if (fields.length === 0)
    return new Map(text === '' ? [[TEXT, 'Please provide input for this manual step'] as const] : []);
  return new Map(checkFieldValues(fields, values).map(({ fieldId, problem }) => [fieldName(fieldId), problem]));
}

/** The typed input, line by line, for reading or copying. */
export function typedLines(fields: readonly InputField[], typed: Typed): string[] {
  const named = fields.map(({ id, label }) => ({
    label: `${isolated(label)}: `,
    text: typedText(typed, fieldName(id)),
  }));
  const plain = [TEXT, COMMENTS].map((name) => ({ label: '', text: typedText(typed, name) }));
  return [...named, ...plain].flatMap(({ label, text }) => (text === '' ? [] : [label + text]));
}
