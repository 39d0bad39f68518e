import { requiredIfProblem } from '@stet/domain/expressions';
import { FIELD_KINDS, FIELD_LIMITS, type FieldKind, hasOptions, type InputField } from '@stet/domain/steps';
import { FIELD_KIND_WORDS } from '@stet/presentation/form-changes';
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { Field, Select, Textarea, TextField } from '../../ui/field.tsx';
import { linesOf } from '../settings/lines-of.ts';
import { withFieldSetting, withKind, withLabel, withOptions, withRequired } from './field-list-edits.ts';
import { CheckField } from '../settings/check-field.tsx';
import styles from '../settings/step-settings.module.css';

type FieldRowProps = {
  field: InputField;
  index: number;
  fields: readonly InputField[];
  /** Whether the field is new. If so, its id follows its label. */
  isNew: boolean;
  /** Whether the person has tried to save. If so, errors are also shown on untouched fields. */
  tried: boolean;
  problem: string | null;
  onChange: (fields: InputField[]) => void;
  onMove: (index: number, by: 1 | -1) => void;
  onRemove: (index: number) => void;
};

/** Names the settings in the collapsible part of the field. */
function moreSettings({ kind, required }: InputField): string {
  if (kind === 'number') return required ? 'Help, limits and unit' : 'Help, condition, limits and unit';
  return required ? 'Help' : 'Help and condition';
}

export function FieldRow({ field, index, fields, isNew, tried, problem, onChange, onMove, onRemove }: FieldRowProps) {
  const [options, setOptions] = useState((field.options ?? []).join('\n'));
  const [startsOpen] = useState(isLimited(field) || field.help !== undefined || field.requiredIf !== undefined);
  const [touched, setTouched] = useState(!isNew);
  const named = field.label.trim() || `Field ${index + 1}`;
  const ofOptions = problem !== null && /option/.test(problem);
  const ofLimits = problem !== null && /minimum/.test(problem);
  const others = fields.filter((_, at) => at !== index).map(({ id }) => id);
  const shown = touched || tried ? problem : null;
  return (
    <li className={styles.fieldRow} aria-label={named}>
      <TextField
        label="Label"
        value={field.label}
        maxLength={FIELD_LIMITS.label}
        error={ofOptions || ofLimits ? null : shown}
        onChange={(label) => onChange(withLabel(fields, index, label, isNew))}
        onBlur={() => setTouched(true)}
      />
      <Field label="Kind">
        {(control) => (
          <Select
            {...control}
            value={field.kind}
            onChange={(event) => onChange(withKind(fields, index, event.target.value as FieldKind))}
          >
            {FIELD_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {FIELD_KIND_WORDS[kind]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className={styles.fieldActs}>
        <CheckField
          label="Required"
          checked={field.required}
          onChange={(required) => onChange(withRequired(fields, index, required))}
        />
        <IconButton
          size="sm"
          data-up
          label={`Move ${named} up`}
          icon={ArrowUp}
          aria-disabled={index === 0}
          onClick={() => onMove(index, -1)}
        />
        <IconButton
          size="sm"
          data-down
          label={`Move ${named} down`}
          icon={ArrowDown}
          aria-disabled={index === fields.length - 1}
          onClick={() => onMove(index, 1)}
        />
        <IconButton
          size="sm"
          tone="quiet-danger"
          data-remove
          label={`Remove ${named}`}
          icon={Trash2}
          onClick={() => onRemove(index)}
        />
      </div>
      {hasOptions(field.kind) && (
        <div className={styles.fieldOptions}>
          <Field label="Options, one per line" error={ofOptions ? shown : null}>
            {(control) => (
              <Textarea
                {...control}
                rows={3}
                value={options}
                onChange={(event) => {
                  setOptions(event.target.value);
                  onChange(withOptions(fields, index, linesOf(event.target.value)));
                }}
                onBlur={() => setTouched(true)}
              />
            )}
          </Field>
        </div>
      )}
      <details className={styles.fieldMore} open={startsOpen}>
        <summary>{moreSettings(field)}</summary>
        <TextField
          label="Help below the field"
          value={field.help ?? ''}
          maxLength={FIELD_LIMITS.help}
          onChange={(help) => onChange(withFieldSetting(fields, index, 'help', help === '' ? undefined : help))}
        />
        {!field.required && (
          <TextField
            label="Required if"
            className="mono"
            placeholder="amount > 1000"
            hint={
              others.length > 0 ? `Compares other fields: ${others.join(', ')}` : 'Compares other fields of this form'
            }
            value={field.requiredIf ?? ''}
            maxLength={FIELD_LIMITS.requiredIf}
            error={touched || tried ? requiredIfProblem(field, fields) : null}
            onChange={(text) =>
              onChange(withFieldSetting(fields, index, 'requiredIf', text.trim() === '' ? undefined : text))
            }
            onBlur={() => setTouched(true)}
          />
        )}
        {field.kind === 'number' && (
          <div className={styles.fieldLimits}>
            <LimitField
              label="Minimum"
              value={field.min}
              error={ofLimits ? shown : null}
              onChange={(min) => onChange(withFieldSetting(fields, index, 'min', min))}
              onBlur={() => setTouched(true)}
            />
            <LimitField
              label="Maximum"
              value={field.max}
              error={null}
              onChange={(max) => onChange(withFieldSetting(fields, index, 'max', max))}
              onBlur={() => setTouched(true)}
            />
            <TextField
              label="Unit"
              placeholder="EUR"
              value={field.unit ?? ''}
              maxLength={FIELD_LIMITS.unit}
              onChange={(unit) => onChange(withFieldSetting(fields, index, 'unit', unit === '' ? undefined : unit))}
            />
          </div>
        )}
      </details>
    </li>
  );
}

const isLimited = ({ min, max, unit }: InputField): boolean =>
  min !== undefined || max !== undefined || unit !== undefined;

type LimitFieldProps = {
  label: string;
  value: number | undefined;
  error: string | null;
  onChange: (value: number | undefined) => void;
  onBlur: () => void;
};

/** A number that may be absent. Text that isn't a number stays visible and doesn't change the setting. */
function LimitField({ label, value, error, onChange, onBlur }: LimitFieldProps) {
  const [typed, setTyped] = useState(value === undefined ? '' : String(value));
  const isNumber = (text: string): boolean => /^\s*-?\d{1,15}([.,]\d{1,10})?\s*$/.test(text);
  const type = (text: string) => {
    setTyped(text);
    if (text.trim() === '') onChange(undefined);
    else if (isNumber(text)) onChange(Number(text.replace(',', '.')));
  };
  return (
    <TextField
      label={label}
      value={typed}
      inputMode="decimal"
      autoComplete="off"
      error={typed.trim() !== '' && !isNumber(typed) ? 'Enter a number' : error}
      onChange={type}
      onBlur={onBlur}
    />
  );
}
