import { FIELD_LIMITS, fieldIdFor } from '@stet/domain/workflows';
import type { FieldKind, InputField } from '@stet/domain/workflows';

export const KIND_WORDS = {
  text: 'Text',
  number: 'Number',
  date: 'Date',
  choice: 'Choice',
  yes_no: 'Yes or no',
  file_link: 'File link',
} as const satisfies Record<FieldKind, string>;

type Fields = readonly InputField[];

export const mayAdd = (fields: Fields): boolean => fields.length < FIELD_LIMITS.fields;

/** With a field at the end that waits for its label. */
export function withField(fields: Fields): InputField[] {
  const id = fieldIdFor(
    '',
    fields.map((field) => field.id),
  );
  return [...fields, { id, label: '', kind: 'text', required: false }];
}

export function withoutField(fields: Fields, index: number): InputField[] {
  return fields.filter((_, at) => at !== index);
}

/** With a field one place up or down; the same list where there is no such place. */
export function withMoved(fields: Fields, index: number, by: 1 | -1): InputField[] {
  const field = fields[index];
  const other = fields[index + by];
  if (!field || !other) return [...fields];
  return fields.map((each, at) => (at === index ? other : at === index + by ? field : each));
}

/**
 * With another label. The name that expressions use follows it while the field is new; of one that was there before, it
 * stays: expressions may speak of it.
 */
export function withLabel(fields: Fields, index: number, label: string, isNew: boolean): InputField[] {
  return fields.map((field, at) => {
    if (at !== index) return field;
    if (!isNew) return { ...field, label };
    const others = fields.filter((_, place) => place !== index).map(({ id }) => id);
    return { ...field, label, id: fieldIdFor(label, others) };
  });
}

/** With another kind; options stand with a choice only. */
export function withKind(fields: Fields, index: number, kind: FieldKind): InputField[] {
  return fields.map((field, at) => {
    if (at !== index) return field;
    const { options, ...rest } = field;
    return kind === 'choice' ? { ...rest, kind, options: options ?? [] } : { ...rest, kind };
  });
}

export function withOptions(fields: Fields, index: number, lines: readonly string[]): InputField[] {
  return fields.map((field, at) => (at === index ? { ...field, options: [...lines] } : field));
}

export function withRequired(fields: Fields, index: number, required: boolean): InputField[] {
  return fields.map((field, at) => (at === index ? { ...field, required } : field));
}

/** The lines of a text that say something, without white space round them. */
export const linesOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
