import { formatDuration, parseDuration } from '@stet/domain/sla';
import type { Step } from '@stet/domain/steps';
import { LIMITS } from '@stet/domain/workflows';
import { assigneeProblem } from '@stet/domain/access';
import { Clock } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../../../ui/button.tsx';
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx';
import { Field, Input, Textarea, TextField } from '../../../../ui/field.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { Modal } from '../../../../ui/modal.tsx';
import { StepType } from '../../../../ui/step-type.tsx';
import type { StepNote } from '../model/step-notes.ts';
import { titleOf } from '../model/step-words.ts';
import { AssigneeChoice } from './assignee-choice.tsx';
import { NextChoice } from './next-choice.tsx';
import styles from './step-dialog.module.css';

/** A component that edits the settings of a step type. */
export type StepFieldsProps = {
  step: Step;
  steps: readonly Step[];
  readOnly: boolean;
  /** Whether the person has tried to save. Errors are then also shown at untouched fields. */
  tried: boolean;
  onChange: (step: Step) => void;
};

type StepDialogProps = {
  step: Step;
  steps: readonly Step[];
  notes: readonly StepNote[] | undefined;
  readOnly: boolean;
  /** The email addresses that are suggested for the assignee. */
  people: readonly string[];
  renderFields: (props: StepFieldsProps) => ReactNode;
  onSave: (step: Step) => void;
  /** Receives the edited step, or null if it is unchanged. */
  onEdit: (step: Step | null) => void;
  onClose: () => void;
};

/**
 * Fields with an error that prevents saving. An invalid assignee or SLA only gets a warning (specification, section 5),
 * and the trial isn't part of the step.
 */
const BAD_FIELD = '[aria-invalid="true"]:not([data-optional] *)';

/** Edits one step with all settings of its type. The document only changes when the dialog is saved. */
export function StepDialog(props: StepDialogProps) {
  const { step, steps, notes, readOnly, people, renderFields, onSave, onEdit, onClose } = props;
  const [edited, setEdited] = useState(step);
  const [asking, setAsking] = useState(false);
  const [tried, setTried] = useState(false);
  const heading = useId();
  const number = steps.findIndex(({ id }) => id === step.id) + 1;
  const isChanged = JSON.stringify(edited) !== JSON.stringify(step);
  const write = (part: Partial<Pick<Step, 'title' | 'description' | 'sla' | 'assignee' | 'next'>>) =>
    setEdited((now) => ({ ...now, ...part }));
  const close = () => (isChanged && !readOnly ? setAsking(true) : onClose());
  useEffect(() => onEdit(isChanged && !readOnly ? edited : null), [onEdit, isChanged, readOnly, edited]);
  useEffect(() => () => onEdit(null), [onEdit]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Errors at untouched fields must be rendered before they can be focused.
    flushSync(() => setTried(true));
    const bad = event.currentTarget.querySelector<HTMLElement>(BAD_FIELD);
    if (bad && !readOnly) return bad.focus();
    if (isChanged && !readOnly) onSave(edited);
    onClose();
  };
  const sla = parseDuration(edited.sla);
  const problems = notes?.filter(({ kind }) => kind === 'problem') ?? [];

  return (
    <>
      <Modal
        open
        wide
        title={
          <span className={styles.stepDialogTitle} id={heading}>
            <span className={styles.stepDialogType}>
              <StepType type={step.type} small />
              <span>, step {number}</span>
            </span>
            <span className={styles.stepDialogName} title={titleOf(edited)}>
              {titleOf(edited)}
            </span>
          </span>
        }
        onClose={close}
        onSubmit={submit}
        footer={
          readOnly ? (
            <Button data-autofocus onClick={onClose}>
              Close
            </Button>
          ) : (
            <>
              <Button onClick={close}>Cancel</Button>
              <Button type="submit" tone="primary">
                Save step
              </Button>
            </>
          )
        }
      >
        {problems.map(({ text }) => (
          <p key={text} className="err">
            {text}
          </p>
        ))}
        <TextField
          label="Title"
          data-autofocus={readOnly ? undefined : true}
          maxLength={LIMITS.stepTitle}
          placeholder="Untitled Step"
          readOnly={readOnly}
          value={edited.title}
          onChange={(title) => write({ title })}
        />
        <Field label="Description">
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              maxLength={LIMITS.stepDescription}
              readOnly={readOnly}
              value={edited.description}
              onChange={({ target }) => write({ description: target.value })}
            />
          )}
        </Field>
        <div className={styles.stepDialogTwo} data-optional="">
          <Field label="SLA" {...slaNote(edited.sla, sla)}>
            {(control) => (
              <span className="with-i">
                <Icon of={Clock} size="s" />
                <Input
                  {...control}
                  maxLength={100}
                  placeholder="For example 4h or 1 day"
                  readOnly={readOnly}
                  value={edited.sla}
                  onChange={({ target }) => write({ sla: target.value })}
                />
              </span>
            )}
          </Field>
          <AssigneeChoice
            value={edited.assignee}
            people={people}
            problem={assigneeProblem(edited.assignee)}
            readOnly={readOnly}
            onChange={(assignee) => write({ assignee })}
          />
        </div>
        {renderFields({ step: edited, steps, readOnly, tried, onChange: setEdited })}
        <NextChoice step={edited} steps={steps} readOnly={readOnly} onChange={(next) => write({ next })} />
      </Modal>
      {asking && (
        <ConfirmDialog
          open
          title="Discard the changes to this step?"
          confirmLabel="Discard changes"
          cancelLabel="Keep editing"
          onCancel={() => setAsking(false)}
          onConfirm={onClose}
        />
      )}
    </>
  );
}

function slaNote(text: string, parsed: ReturnType<typeof parseDuration>): { hint?: string; error?: string } {
  if (!parsed.ok) return { error: 'Not a duration, so the step would have no SLA' };
  if (text.trim() === '') return {};
  const read = formatDuration(parsed.ms);
  return read === text.trim() ? {} : { hint: read };
}
