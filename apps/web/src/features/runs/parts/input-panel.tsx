import { isolated } from '@stet/domain/workflows';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Field, Textarea } from '../../../ui/field.tsx';
import { focusFirstBad } from '../../../ui/focus-first-bad.ts';
import { Note } from '../../../ui/note.tsx';
import { toast } from '../../../ui/toast.ts';
import { TEXT, fieldName, stepOutput, stepProblems } from '../model/step-form.ts';
import { FormField } from './form-field.tsx';
import { SkipVotes } from './skip-votes.tsx';
import { StepActions, isNobodys } from './step-actions.tsx';
import type { StepPanelProps } from './step-panel-props.ts';

/** A manual step: its form where it has one, and text. Who may not act sees whose it is. */
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
      <div className="step-panel">
        <p className="two">{whomItWaitsFor(step.assignee)}</p>
        {error && <Note tone="bad">{error}</Note>}
        <StepActions step={step} onSkip={onSkip} />
      </div>
    );
  }
  return (
    <form className="step-panel" onSubmit={send} noValidate>
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
      {step.requiresApproval && <p className="xs muted">Another person approves the input before the run goes on.</p>}
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
  isNobodys(assignee) ? 'Waits for someone who may act on any step.' : `Waits for ${isolated(assignee)}.`;
