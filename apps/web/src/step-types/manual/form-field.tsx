import { FIELD_LIMITS, type InputField } from '@stet/domain/steps';
import type { FocusEvent } from 'react';
import { Field, Input, Select } from '../../ui/field.tsx';
import type { ControlProps } from '../../ui/field.tsx';
import styles from '../run/step-panel.module.css';

type FormFieldProps = {
  field: InputField;
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
  onBlur: ((event: FocusEvent) => void) | undefined;
};

/** One field of a manual step's form. */
export function FormField({ field, error, ...rest }: FormFieldProps) {
  return (
    <Field
      label={
        <>
          {field.label} {!field.required && <span className="muted">(optional)</span>}
        </>
      }
      error={error}
    >
      {(control) => <FieldControl control={control} field={field} {...rest} />}
    </Field>
  );
}

type FieldControlProps = Omit<FormFieldProps, 'error'> & { control: ControlProps; disabled?: boolean };

/** The input for a field's kind of value. */
export function FieldControl({ control, field, value, disabled, onChange, onBlur }: FieldControlProps) {
  const given = {
    ...control,
    value,
    disabled,
    required: field.required,
    onBlur,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  switch (field.kind) {
    case 'text':
      return <Input {...given} maxLength={FIELD_LIMITS.text} />;
    // A text field, so that an invalid number stays visible and can be corrected.
    case 'number':
      return <Input {...given} inputMode="decimal" autoComplete="off" />;
    case 'date':
      return <Input {...given} type="date" className={styles.short} />;
    case 'file_link':
      return <Input {...given} type="url" placeholder="https://" maxLength={FIELD_LIMITS.link} />;
    case 'choice':
    case 'yes_no':
      return (
        <Select {...given} className={styles.short}>
          <option value="">Choose…</option>
          {optionsOf(field).map((option) => (
            <option key={option.value} value={option.value}>
              {option.word}
            </option>
          ))}
        </Select>
      );
  }
}

const YES_NO = [
  { value: 'yes', word: 'Yes' },
  { value: 'no', word: 'No' },
];
const optionsOf = ({ kind, options = [] }: InputField) =>
  kind === 'yes_no' ? YES_NO : options.map((option) => ({ value: option, word: option }));
