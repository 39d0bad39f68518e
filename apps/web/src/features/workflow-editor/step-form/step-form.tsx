import { formatDuration, parseDuration } from '@stet/domain/sla';
import { STEP_TYPES, type Step, type StepType, defaultConfig } from '@stet/domain/steps';
import { LIMITS } from '@stet/domain/workflows';
import { Clock } from 'lucide-react';
import { Field, FieldError, IconField, Input, Select, TextField, Textarea } from '../../../ui/field.tsx';
import type { StepNote } from '../../../step-types/parts.ts';
import type { AssigneeSuggestion } from '../model/assignee-suggestions.ts';
import { DoneByField } from './done-by-field.tsx';
import { NextChoice } from './next-choice.tsx';
import { StepSettings } from '../../../step-types/step-settings.tsx';
import styles from './step-form.module.css';

type StepFormProps = {
  step: Step;
  steps: readonly Step[];
  notes: readonly StepNote[] | undefined;
  readOnly: boolean;
  /** Suggested for 'Done by'. */
  suggestions: readonly AssigneeSuggestion[];
  /** True after an attempt to save: errors then also appear on untouched fields. */
  tried: boolean;
  onChange: (step: Step) => void;
};

/** All fields of a step. */
export function StepForm({ step, steps, notes, readOnly, suggestions, tried, onChange }: StepFormProps) {
  const write = (part: Partial<Pick<Step, 'title' | 'description' | 'sla' | 'next'>>) => onChange({ ...step, ...part });
  const sla = parseDuration(step.sla);
  const problems = notes?.filter(({ kind }) => kind === 'problem') ?? [];
  return (
    <>
      {problems.map(({ text }) => (
        <FieldError key={text} hasIcon={false}>
          {text}
        </FieldError>
      ))}
      <TextField
        label="Title"
        data-autofocus={readOnly ? undefined : true}
        maxLength={LIMITS.stepTitle}
        placeholder="Untitled Step"
        readOnly={readOnly}
        value={step.title}
        onChange={(title) => write({ title })}
      />
      <Field label="Description">
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            maxLength={LIMITS.stepDescription}
            readOnly={readOnly}
            value={step.description}
            onChange={({ target }) => write({ description: target.value })}
          />
        )}
      </Field>
      <div className={styles.stepDialogTwo} data-optional="">
        <Field label="SLA" {...slaNote(step.sla, sla)}>
          {(control) => (
            <IconField icon={Clock}>
              <Input
                {...control}
                maxLength={100}
                placeholder="For example: 4h or 1 day"
                readOnly={readOnly}
                value={step.sla}
                onChange={({ target }) => write({ sla: target.value })}
              />
            </IconField>
          )}
        </Field>
        <DoneByField step={step} suggestions={suggestions} readOnly={readOnly} onChange={onChange} />
      </div>
      {!readOnly && (
        <Field label="Type">
          {(control) => (
            <Select
              {...control}
              value={step.type}
              onChange={({ target }) => {
                const type = STEP_TYPES.find((each) => each === target.value);
                if (type) onChange(withType(step, type));
              }}
            >
              {STEP_TYPES.map((type) => (
                <option key={type} value={type}>
                  {type}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <StepSettings key={step.type} step={step} steps={steps} readOnly={readOnly} tried={tried} onChange={onChange} />
      <NextChoice step={step} steps={steps} readOnly={readOnly} onChange={(next) => write({ next })} />
    </>
  );
}

function slaNote(text: string, parsed: ReturnType<typeof parseDuration>): { hint?: string; error?: string } {
  if (!parsed.ok) return { error: 'Not a duration, so this step has no SLA' };
  if (text.trim() === '') return {};
  const read = formatDuration(parsed.ms);
  return read === text.trim() ? {} : { hint: read };
}

/** The step with a different type and that type's initial settings. Everything else stays. */
const withType = (step: Step, type: StepType): Step =>
  step.type === type ? step : { ...step, type, config: defaultConfig(type) };
