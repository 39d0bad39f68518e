import type { RunStep } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { type FormEvent, useRef, useState } from 'react';
import { useContractForm } from '../../lib/forms/use-contract-form.ts';
import { usePeople } from '../../lib/session/use-members.ts';
import { Who } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, Textarea } from '../../ui/field.tsx';
import { Note } from '../../ui/note.tsx';
import { useErrorToast } from '../../ui/toast.ts';
import { TEXT, fieldName, filesIn } from '../run/typed.ts';
import { fieldsNow, stepOutput, stepProblems } from './step-form.ts';
import { useRequired } from './use-required.ts';
import { BecauseNote } from '../run/because-note.tsx';
import { FormField } from './form-field.tsx';
import { SkipVotes } from '../run/skip-votes.tsx';
import { StepActions, isNobodys } from '../run/step-actions.tsx';
import type { StepPanelProps } from '../run/step-panel-props.ts';
import styles from '../run/step-panel.module.css';

const completeSchema = async () => (await import('@stet/contract/runs')).runRoutes['POST /api/runs/{id}/complete'].body;

/**
 * A manual step with its form, if it has one, and a text field. People who can't complete it see why, or whom it waits
 * for.
 */
export function InputPanel({
  run,
  step,
  actsAs,
  typed,
  onType,
  pending,
  error,
  onChange,
  onSkip,
  onAsk,
  onHandOver,
}: StepPanelProps) {
  const holding = { pending, onChange, onHandOver };
  const { fields } = step;
  const check = useRequired(fields);
  const hasForm = fields.length > 0;
  const names = [TEXT, ...fields.map(({ id }) => fieldName(id))];
  const form = useContractForm<Record<string, string>, unknown>({
    schema: completeSchema,
    // Typed input is stored outside the form, so that every screen that shows the step has it.
    initial: Object.fromEntries(names.map((name) => [name, typed[name] ?? ''])),
    body: (values) => ({ stepId: step.id, output: stepOutput(fields, values) }),
    rules: (values) => Object.fromEntries(stepProblems(fields, values, check)),
    places: {
      output: TEXT,
      input_required: TEXT,
      ...Object.fromEntries(fields.map(({ id }) => [`output.fields.${id}`, fieldName(id)])),
    },
    failed: '',
    send: async (_, values) => onChange({ do: 'complete', stepId: step.id, output: stepOutput(fields, values) }),
  });
  const uploading = useRef(new Set<string>());
  // If the person completes the step while files are uploading, the form is sent once they are uploaded, unless the
  // input changes.
  const [waiting, setWaiting] = useState<HTMLFormElement | null>(null);
  const field = (name: string) => {
    const { value, error: problem, onChange: change, onBlur } = form.field(name);
    const type = (text: string) => {
      const isUploaded = uploading.current.has(name) && filesIn(text).length === filesIn(value).length;
      if (!isUploaded) setWaiting(null);
      change(text);
      onType(name, text);
    };
    return { value, error: problem, onBlur, onChange: type };
  };
  const text = field(TEXT);
  const isAtField = names.some((name) => form.field(name).error);

  const problems = stepProblems(fields, form.values, check);
  const isLacking = problems.size > 0;
  // Each failed attempt is a new cause, so it shows a new toast. The toast is removed once the input is complete.
  const [refused, setRefused] = useState<object | null>(null);
  useErrorToast(isLacking ? refused : null, 'Input Required', step.title, 'warn');
  const send = (event: FormEvent<HTMLFormElement>) => {
    const { current: fieldsUploading } = uploading;
    if (fieldsUploading.size > 0 && [...problems.keys()].every((name) => fieldsUploading.has(name))) {
      event.preventDefault();
      setWaiting(event.currentTarget);
      return;
    }
    setRefused(isLacking ? {} : null);
    form.submit(event);
  };
  const markUploading = (name: string) => (isNow: boolean) => {
    if (isNow) uploading.current.add(name);
    else uploading.current.delete(name);
    if (uploading.current.size > 0 || !waiting) return;
    setWaiting(null);
    form.submitFrom(waiting);
  };
  if (!step.abilities.complete) {
    return (
      <div className={styles.stepPanel}>
        {!step.because && <WaitsFor assignee={step.assignee} />}
        {error ? <Note tone="bad">{error}</Note> : <BecauseNote because={step.because} />}
        <StepActions step={step} onSkip={onSkip} holding={holding} />
      </div>
    );
  }
  return (
    <form className={styles.stepPanel} onSubmit={send} noValidate>
      {step.reason && <Note tone="warn">Returned: {step.reason}</Note>}
      {fieldsNow(fields, form.values, check).map((each) => (
        <FormField
          key={each.id}
          field={each}
          place={{ runId: run.id, stepId: step.id }}
          onUploading={markUploading(fieldName(each.id))}
          {...field(fieldName(each.id))}
        />
      ))}
      <Field
        label={<>Your input {hasForm && <span className="muted">(optional)</span>}</>}
        labelHidden={!hasForm}
        error={text.error}
      >
        {(control) => (
          <Textarea
            {...control}
            placeholder="What was done, in a line or two"
            maxLength={20_000}
            value={text.value}
            onBlur={text.onBlur}
            onChange={(event) => text.onChange(event.target.value)}
          />
        )}
      </Field>
      {step.requiresApproval && (
        <p className="xs muted">Another person must approve the input before the run continues.</p>
      )}
      <SkipVotes skip={step.skip} />
      {error && !isAtField && <Note tone="bad">{error}</Note>}
      <StepActions step={step} onSkip={onSkip} onAsk={onAsk} holding={holding}>
        <Button
          type="submit"
          tone="primary"
          busy={waiting ? 'Completing once the files are uploaded…' : pending === 'complete' && 'Completing…'}
        >
          {actsAs === null ? 'Complete' : `Complete for ${isolated(actsAs)}`}
        </Button>
      </StepActions>
    </form>
  );
}

function WaitsFor({ assignee }: Pick<RunStep, 'assignee'>) {
  const { personOf } = usePeople();
  if (isNobodys(assignee)) return <p className="two">Waiting for an owner, admin or editor.</p>;
  return (
    <p className="two">
      Waiting for <Who {...personOf(assignee)} />
    </p>
  );
}
