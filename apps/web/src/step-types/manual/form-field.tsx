import { FIELD_LIMITS, type InputField, isFileKind } from '@stet/domain/steps';
import { limitWords } from '@stet/presentation/field-words';
import type { FocusEvent, ReactNode } from 'react';
import { useMembers } from '../../lib/session/use-members.ts';
import { PersonField } from '../../ui/person-field.tsx';
import { CheckGroup, CheckRow } from '../../ui/check-row.tsx';
import { Field, Input, Select, Textarea } from '../../ui/field.tsx';
import type { ControlProps } from '../../ui/field.tsx';
import type { UploadPlace } from '../../lib/upload-file.ts';
import { FilesField } from './files-field.tsx';
import { choicesIn, typedChoices } from '../run/typed.ts';
import styles from '../run/step-panel.module.css';

type FormFieldProps = {
  field: InputField;
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
  onBlur: ((event: FocusEvent) => void) | undefined;
  /** The step that files are uploaded for. Without one, a field for files is disabled. */
  place?: UploadPlace;
  /** Reports whether uploads of the field are in progress: at first, and whenever this changes. */
  onUploading?: (isUploading: boolean) => void;
};

/** One field of a manual step's form. */
export function FormField({ field, error, place, onUploading, ...rest }: FormFieldProps) {
  const { label: name, required, unit } = field;
  const label = (
    <>
      {name} {unit && <span className="muted">in {unit}</span>} {!required && <span className="muted">(optional)</span>}
    </>
  );
  const hint = hintOf(field);
  if (field.kind === 'person') return <PersonValue label={label} hint={hint} error={error} {...rest} />;
  if (isFileKind(field.kind)) {
    const { value, onChange } = rest;
    const isPhoto = field.kind === 'photo';
    return <FilesField {...{ name, label, hint, error, isPhoto, value, onChange, place, onUploading }} />;
  }
  if (field.kind === 'many_of') {
    return (
      <CheckGroup label={label} hint={hint} error={error}>
        <Choices field={field} {...rest} />
      </CheckGroup>
    );
  }
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <FieldControl control={control} field={field} {...rest} />}
    </Field>
  );
}

const hintOf = (field: InputField): string | null =>
  [field.help?.trim() ?? '', limitWords(field)].filter((text) => text !== '').join(' · ') || null;

type PersonValueProps = Omit<FormFieldProps, 'field' | 'place' | 'onUploading'> & {
  label: ReactNode;
  hint: string | null;
};

/** One member, whose address is the value. */
function PersonValue({ value, onChange, onBlur, ...rest }: PersonValueProps) {
  const { data: people = [] } = useMembers();
  const chosen = people.find(({ email }) => email === value);
  return (
    <PersonField
      {...rest}
      people={people}
      value={chosen?.id ?? ''}
      onChange={(id) => onChange(people.find((person) => person.id === id)?.email ?? '')}
      {...(onBlur && { onBlur })}
    />
  );
}

/** The options of a field, of which a person can choose several. Those chosen are stored in the order of the form. */
function Choices({ field: { options = [] }, value, onChange }: Omit<FormFieldProps, 'error' | 'place'>) {
  const chosen = new Set(choicesIn(value));
  return options.map((option) => (
    <CheckRow
      key={option}
      checked={chosen.has(option)}
      onChange={(isChosen) =>
        onChange(typedChoices(options.filter((each) => (each === option ? isChosen : chosen.has(each)))))
      }
    >
      {option}
    </CheckRow>
  ));
}

type FieldControlProps = Omit<FormFieldProps, 'error' | 'place'> & { control: ControlProps; disabled?: boolean };

/** The input for a field's kind of value. Several choices are a list, one per line; a person is an address. */
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
    case 'long_text':
    case 'many_of':
      return <Textarea {...given} rows={4} maxLength={FIELD_LIMITS.text} />;
    // A text field, so that an invalid number stays visible and can be corrected.
    case 'number':
      return <Input {...given} inputMode="decimal" autoComplete="off" />;
    case 'date':
      return <Input {...given} type="date" className={styles.short} />;
    case 'person':
      return <Input {...given} type="email" placeholder="name@example.com" maxLength={320} />;
    case 'file':
    case 'photo':
      return <Input {...given} disabled />;
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
