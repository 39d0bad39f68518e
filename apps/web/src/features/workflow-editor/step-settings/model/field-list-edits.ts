import { FIELD_LIMITS, fieldIdFor, type FieldKind, type InputField } from '@stet/domain/steps';

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

/** The list with a field appended that has no label yet. */
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

/** The list with a field moved one place up or down; the same list if that isn't possible. */
export function withMoved(fields: Fields, index: number, by: 1 | -1): InputField[] {
  const field = fields[index];
  const other = fields[index + by];
  if (!field || !other) return [...fields];
  return fields.map((each, at) => (at === index ? other : at === index + by ? field : each));
}

/**
 * The list with another label. The name follows it while the field is new; an existing name stays, because expressions
 * may refer to it.
 */
export function withLabel(fields: Fields, index: number, label: string, isNew: boolean): InputField[] {
  return fields.map((field, at) => {
    if (at !== index) return field;
    if (!isNew) return { ...field, label };
    const others = fields.filter((_, place) => place !== index).map(({ id }) => id);
    return { ...field, label, id: fieldIdFor(label, others) };
  });
}

/** The list with another kind; only a choice keeps its options. */
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

/** The non-empty lines of a text, trimmed. */
export const linesOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
