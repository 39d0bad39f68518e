import type { InputField } from '@stet/domain/steps';
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

/** The typed input, line by line, for reading or copying. */
export function typedLines(fields: readonly InputField[], typed: Typed): string[] {
  const named = fields.map(({ id, label, kind }) => {
    const text = typedText(typed, fieldName(id));
    return { label: `${isolated(label)}: `, text: kind === 'many_of' ? choicesIn(text).join(', ') : text };
  });
  const plain = [TEXT, COMMENTS].map((name) => ({ label: '', text: typedText(typed, name) }));
  return [...named, ...plain].flatMap(({ label, text }) => (text === '' ? [] : [label + text]));
}
