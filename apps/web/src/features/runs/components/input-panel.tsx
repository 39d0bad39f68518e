import { isolated } from '@stet/domain/workflows';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Field, Textarea } from '../../../ui/field.tsx';
import { focusFirstBad } from '../../../lib/forms/focus-first-bad.ts';
import { Note } from '../../../ui/note.tsx';
import { toast } from '../../../ui/toast.ts';
import { TEXT, fieldName, stepOutput, stepProblems } from '../model/step-form.ts';
import { BecauseNote } from './because-note.tsx';
import { FormField } from './form-field.tsx';
import { SkipVotes } from './skip-votes.tsx';
import { StepActions, isNobodys } from './step-actions.tsx';
import type { StepPanelProps } from './step-panel-props.ts';
import styles from './step-panel.module.css';

/** A manual step with its form, if it has one, and a text field. People who can't act see the assignee. */
export function InputPanel({ step, typed, onType, pending, error, onChange, onSkip }: StepPanelProps) {
  const [tried, setTried] = useState(false);
  const problems = stepProblems(step.fields, typed);
  const problemOf = (name: string) => (tried ? (problems.get(name) ?? null) : null);
  const hasForm = step.fields.length > 0;

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (problems.size > 0) {
      focusFirstBad(event.currentTarget);
      toast.warn('Input Required', step.title);
    } else onChange({ do: 'complete', stepId: step.id, output: stepOutput(step.fields, typed) });
  };
  if (!step.abilities.complete) {
    return (
      <div className={styles.stepPanel}>
        {!step.because && <p className="two">{whomItWaitsFor(step.assignee)}</p>}
        {error ? <Note tone="bad">{error}</Note> : <BecauseNote because={step.because} />}
        <StepActions step={step} onSkip={onSkip} />
      </div>
    );
  }
  return (
    <form className={styles.stepPanel} onSubmit={send} noValidate>
      {step.reason && <Note tone="warn">Returned: {step.reason}</Note>}
      {step.fields.map((field) => (
        <FormField
          key={field.id}
          field={field}
          value={typed[fieldName(field.id)] ?? ''}
          error={problemOf(fieldName(field.id))}
          onChange={(text) => onType(fieldName(field.id), text)}
        />
      ))}
      <Field
        label={<>Your input {hasForm && <span className="muted">(optional)</span>}</>}
        labelHidden={!hasForm}
        error={problemOf(TEXT)}
      >
        {(control) => (
          <Textarea
            {...control}
            placeholder="What was done, in a line or two"
            maxLength={20_000}
            value={typed[TEXT] ?? ''}
            onChange={(event) => onType(TEXT, event.target.value)}
          />
        )}
      </Field>
      {step.requiresApproval && (
        <p className="xs muted">Another person must approve the input before the run continues.</p>
      )}
      <SkipVotes skip={step.skip} />
      {error && <Note tone="bad">{error}</Note>}
      <StepActions step={step} onSkip={onSkip}>
        <Button type="submit" tone="primary" busy={pending === 'complete' && 'Completing…'}>
          Complete
        </Button>
      </StepActions>
    </form>
  );
}

const whomItWaitsFor = (assignee: string): string =>
  isNobodys(assignee) ? 'Waiting for an editor or admin.' : `Waiting for ${isolated(assignee)}.`;
