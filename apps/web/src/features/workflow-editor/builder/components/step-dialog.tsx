import type { Step } from '@stet/domain/steps';
import type { AssigneeSuggestion } from '../../model/assignee-suggestions.ts';
import { useEffect, useId, useMemo, useState } from 'react';
import type { FormEvent, MouseEvent, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../../../ui/button.tsx';
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx';
import { Modal } from '../../../../ui/modal.tsx';
import { StepType } from '../../../../step-types/step-type.tsx';
import type { StepNote } from '../../../../step-types/parts.ts';
import { titleOf } from '../model/step-words.ts';
import { StepForm } from '../../step-form/step-form.tsx';
import styles from '../../step-form/step-form.module.css';

type StepDialogProps = {
  /** Differs between steps, and stays the same while a step's id changes. */
  stepKey: string;
  step: Step;
  steps: readonly Step[];
  notes: readonly StepNote[] | undefined;
  /** Shown above the fields. */
  comments: ReactNode;
  readOnly: boolean;
  /** Suggested for 'Done by'. */
  suggestions: readonly AssigneeSuggestion[];
  onSave: (step: Step) => void;
  /** Receives the edited step, or null if it is unchanged. */
  onEdit: (step: Step | null) => void;
  /** Opens the step below. Null in the last row. */
  onNext: (() => void) | null;
  onClose: () => void;
};

/**
 * Fields with an error that prevents saving. An invalid assignee or SLA only gets a warning (specification, section 5),
 * and the trial isn't part of the step.
 */
const BAD_FIELD = '[aria-invalid="true"]:not([data-optional] *)';

/** Edits one step with all settings of its type. The document only changes when the dialog is saved. */
export function StepDialog(props: StepDialogProps) {
  const { stepKey, step, steps, notes, comments, readOnly, suggestions, onSave, onEdit, onNext, onClose } = props;
  const [typed, setEdited] = useState(step);
  const [asking, setAsking] = useState(false);
  const [tried, setTried] = useState(false);
  // The dialog stays open for the next step, so that the focus stays in it.
  const [shownKey, setShownKey] = useState(stepKey);
  if (shownKey !== stepKey) {
    setShownKey(stepKey);
    setEdited(step);
    setTried(false);
  }
  // A save can give the step its final id while the dialog is open.
  const edited = useMemo((): Step => ({ ...typed, id: step.id }), [typed, step.id]);
  const heading = useId();
  const number = steps.findIndex(({ id }) => id === step.id) + 1;
  const isChanged = JSON.stringify(edited) !== JSON.stringify(step);
  const close = () => (isChanged && !readOnly ? setAsking(true) : onClose());
  useEffect(() => onEdit(isChanged && !readOnly ? edited : null), [onEdit, isChanged, readOnly, edited]);
  useEffect(() => () => onEdit(null), [onEdit]);
  /** Saves the step, then continues with `then`. If a field has an error, focuses it instead. */
  const save = (form: HTMLFormElement | null, then: () => void) => {
    if (readOnly) return then();
    // Errors on untouched fields must be rendered before they can be focused.
    flushSync(() => setTried(true));
    const bad = form?.querySelector<HTMLElement>(BAD_FIELD);
    if (bad) return bad.focus();
    if (isChanged) onSave(edited);
    then();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save(event.currentTarget, onClose);
  };
  const goOn = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) =>
    save(form, () => {
      flushSync(() => onNext?.());
      form?.querySelector('input')?.scrollIntoView?.({ block: 'nearest' });
      form?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    });
  const next = onNext && <Button onClick={goOn}>{readOnly ? 'Next step' : 'Save and next'}</Button>;

  return (
    <>
      <Modal
        open
        wide
        title={
          <span className={styles.stepDialogTitle} id={heading}>
            <span className={styles.stepDialogType}>
              <StepType type={edited.type} small />
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
            <>
              {next}
              <Button data-autofocus onClick={onClose}>
                Close
              </Button>
            </>
          ) : (
            <>
              <Button onClick={close}>Cancel</Button>
              {next}
              <Button type="submit" tone="primary">
                Save step
              </Button>
            </>
          )
        }
      >
        {comments}
        <StepForm
          key={stepKey}
          step={edited}
          steps={steps}
          notes={notes}
          readOnly={readOnly}
          suggestions={suggestions}
          tried={tried}
          onChange={setEdited}
        />
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
