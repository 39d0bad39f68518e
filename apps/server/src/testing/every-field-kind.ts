import { FIELD_KINDS, type FieldKind, type InputField } from '@stet/domain/steps';

const SETTINGS: Partial<Record<FieldKind, Partial<InputField>>> = {
  number: { min: -5, max: 500.5, unit: 'EUR' },
  choice: { options: ['North', 'South'] },
  many_of: { options: ['Price', 'Speed', 'Quality'] },
};

/**
 * A form with one field of each kind, and every setting. Every second field is always required; the others are required
 * if a condition is true.
 */
export const EVERY_FIELD_KIND: readonly InputField[] = FIELD_KINDS.map((kind, n) => ({
  id: `${kind}_value`,
  label: `Label of ${kind.replaceAll('_', ' ')}`,
  kind,
  required: n % 2 === 0,
  ...(n % 2 === 1 && { requiredIf: 'number_value > 100 or contains(text_value, "urgent")' }),
  help: `Help for ${kind.replaceAll('_', ' ')}`,
  ...SETTINGS[kind],
}));
