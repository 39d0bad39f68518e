import type { Step } from '@stet/domain/steps';
import { isolated, stepTitle } from '@stet/domain/workflows';
import { useMemo } from 'react';
import { Field, Select } from '../../ui/field.tsx';

type StepSelectProps = {
  label: string;
  /** The chosen step's id, or undefined if none is chosen. */
  value: string | undefined;
  none: string;
  choices: readonly Step[];
  /** All steps, in the order that determines their numbers. */
  steps: readonly Step[];
  hint?: string;
  onChange: (stepId: string | undefined) => void;
};

/** Selects a step by number and title. A step that is no longer valid stays visible and is marked as invalid. */
export function StepSelect({ label, value, none, choices, steps, hint, onChange }: StepSelectProps) {
  const isOffered = value === undefined || choices.some(({ id }) => id === value);
  const names = useMemo(
    () => new Map(steps.map((step, index) => [step.id, `${index + 1} ${isolated(stepTitle(step))}`])),
    [steps],
  );
  const nameOf = (id: string): string => names.get(id) ?? `${id} (unknown)`;
  return (
    <Field label={label} hint={hint} error={isOffered ? null : 'This step can’t be used here. Choose a different one.'}>
      {(control) => (
        <Select {...control} value={value ?? ''} onChange={(event) => onChange(event.target.value || undefined)}>
          <option value="">{none}</option>
          {!isOffered && value !== undefined && <option value={value}>{nameOf(value)}</option>}
          {choices.map(({ id }) => (
            <option key={id} value={id}>
              {nameOf(id)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
