import { FIELD_LIMITS, fieldIdFor, type FieldKind, hasOptions, type InputField } from '@stet/domain/steps';

type Fields = readonly InputField[];

export const canAdd = (fields: Fields): boolean => fields.length < FIELD_LIMITS.fields;

export function withEmptyField(fields: Fields): InputField[] {
  const id = fieldIdFor(
    '',
    fields.map((field) => field.id),
  );
  return [...fields, { id, label: '', kind: 'text', required: false }];
}

export function withoutField(fields: Fields, index: number): InputField[] {
  return fields.filter((_, at) => at !== index);
}

/** Moves a field one position up or down. Returns an unchanged copy if there is no such position. */
export function withMoved(fields: Fields, index: number, by: 1 | -1): InputField[] {
  const field = fields[index];
  const other = fields[index + by];
  if (!field || !other) return [...fields];
  return fields.map((each, at) => (at === index ? other : at === index + by ? field : each));
}

/**
 * Changes a field's label. A new field's id follows the label. An existing field's id stays, because expressions may
 * refer to it.
 */
export function withLabel(fields: Fields, index: number, label: string, isNew: boolean): InputField[] {
  return fields.map((field, at) => {
    if (at !== index) return field;
    if (!isNew) return { ...field, label };
    const others = fields.filter((_, place) => place !== index).map(({ id }) => id);
    return { ...field, label, id: fieldIdFor(label, others) };
  });
}

/** Changes a field's kind. The settings that only its old kind can have are removed. */
export function withKind(fields: Fields, index: number, kind: FieldKind): InputField[] {
  return fields.map((field, at) => {
    if (at !== index) return field;
    const { options = [], ...number } = field;
    if (kind === 'number') return { ...number, kind };
    const { min: _min, max: _max, unit: _unit, ...rest } = number;
    return hasOptions(kind) ? { ...rest, kind, options } : { ...rest, kind };
  });
}

/** Changes one of the settings that a field may lack. Undefined removes it. */
export function withFieldSetting<Name extends 'requiredIf' | 'help' | 'min' | 'max' | 'unit'>(
  fields: Fields,
  index: number,
  name: Name,
  value: InputField[Name] | undefined,
): InputField[] {
  return fields.map((field, at) => {
    if (at !== index) return field;
    const { [name]: _, ...rest } = field;
    return value === undefined ? (rest as InputField) : { ...field, [name]: value };
  });
}

export function withOptions(fields: Fields, index: number, lines: readonly string[]): InputField[] {
  return fields.map((field, at) => (at === index ? { ...field, options: [...lines] } : field));
}

/** Changes whether a field is always required. If so, the condition under which it was required is removed. */
export function withRequired(fields: Fields, index: number, required: boolean): InputField[] {
  return fields.map((field, at) => {
    if (at !== index) return field;
    const { requiredIf: _, ...rest } = field;
    return required ? { ...rest, required } : { ...field, required };
  });
}
