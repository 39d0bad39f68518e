import { checkFieldValues, type InputField, isFileKind } from '@stet/domain/steps';
import type { FieldValue, StepOutput } from '../run/step-panel-props.ts';
import type { RequiredCheck } from './use-required.ts';
import { TEXT, choicesIn, fieldName, filesIn, typedText } from '../run/typed.ts';
import type { Typed } from '../run/typed.ts';

/**
 * Converts the text to the value of this kind of field, for example a number or a list of choices. A text that isn't a
 * number or a boolean is returned unchanged, and refused later with a message.
 */
function valueOf({ kind }: InputField, text: string): FieldValue {
  if (kind === 'many_of') return choicesIn(text);
  if (isFileKind(kind)) return filesIn(text).map(({ name, evidence }) => evidence ?? { name });
  if (kind === 'yes_no' && (text === 'yes' || text === 'no')) return text === 'yes';
  if (kind !== 'number') return text;
  const number = Number(text.replace(',', '.'));
  return Number.isFinite(number) ? number : text;
}

/** A manual step's output: its text, and the form values by field id without empty ones. */
export function stepOutput(fields: readonly InputField[], typed: Typed): StepOutput {
  const text = typedText(typed, TEXT);
  if (fields.length === 0) return { text };
  const filled = fields.flatMap((field) => {
    const value = typedText(typed, fieldName(field.id));
    return value === '' ? [] : [[field.id, valueOf(field, value)] as const];
  });
  return { text, fields: Object.fromEntries(filled) };
}

/** The fields, with `required` set as it applies to the typed values. */
export function fieldsNow(fields: readonly InputField[], typed: Typed, check: RequiredCheck | undefined): InputField[] {
  const { fields: values = {} } = stepOutput(fields, typed);
  return fields.map((field) => ({ ...field, required: check?.(field, fields, values) ?? field.required }));
}

/** The form's errors by field name (specification, section 5). */
export function stepProblems(
  fields: readonly InputField[],
  typed: Typed,
  check?: RequiredCheck,
): ReadonlyMap<string, string> {
  const { text, fields: values = {} } = stepOutput(fields, typed);
  if (fields.length === 0)
    return new Map(text === '' ? [[TEXT, 'Please provide input for this manual step'] as const] : []);
  const problems = checkFieldValues(fieldsNow(fields, typed, check), values);
  return new Map(problems.map(({ fieldId, problem }) => [fieldName(fieldId), problem]));
}
