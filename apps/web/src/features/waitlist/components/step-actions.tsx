import { useId } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Kbd } from '../../../ui/kbd.tsx';
import { Note } from '../../../ui/note.tsx';
import type { Application } from '../api/use-application.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './application-step.module.css';

/** A step's buttons, with the reason why Continue is disabled beside them and an error above them. */
export function StepActions({
  application: { step, problem, isSending, failure, goBack },
}: {
  application: Application;
}) {
  const reasonId = useId();
  if (step === 'start' || step === 'complete') {
    return (
      <div className={styles.single}>
        <Button type="submit" tone="primary" size="lg">
          {step === 'start' ? 'Start Application' : 'Done'}
        </Button>
      </div>
    );
  }
  return (
    <>
      {failure !== null && step === 'frequency' && (
        <div className={styles.failure}>
          <Note tone="bad">{failure}</Note>
        </div>
      )}
      <div className={styles.go}>
        <Button size="lg" onClick={goBack} disabledReason={isSending ? 'Your application is being sent' : undefined}>
          Back
        </Button>
        <span className={classNames('xs', styles.reason)} id={reasonId} role="status">
          {problem ?? (
            <span className={styles.finePointer}>
              or press <Kbd>Enter</Kbd>
            </span>
          )}
        </span>
        <Button
          type="submit"
          tone="primary"
          size="lg"
          busy={isSending && 'Submitting...'}
          disabledReason={problem ?? undefined}
          aria-describedby={problem === null ? undefined : reasonId}
        >
          {step === 'frequency' ? 'Submit Application' : 'Continue'}
        </Button>
      </div>
    </>
  );
}
