import { Field, Input, Textarea } from '../../../ui/field.tsx';
import type { Application } from '../api/use-application.ts';
import styles from './application-step.module.css';

type WrittenAnswerProps = Pick<Application, 'step' | 'answers' | 'errorOf'> & { onAnswer: Application['answer'] };

/** The field for a written answer. Renders nothing for other steps. */
export function WrittenAnswer({ step, answers, onAnswer, errorOf }: WrittenAnswerProps) {
  switch (step) {
    case 'email':
      return (
        <Field label="Email" error={errorOf('email')}>
          {(control) => (
            <Input
              {...control}
              large
              data-focus
              name="email"
              type="email"
              autoComplete="email"
              maxLength={254}
              required
              placeholder="Enter your email address"
              value={answers.email}
              onChange={(event) => onAnswer({ ...answers, email: event.target.value })}
            />
          )}
        </Field>
      );
    case 'frustrations':
      return (
        <LongAnswer
          label="Your frustrations"
          value={answers.frustrations}
          error={errorOf('frustrations')}
          onChange={(frustrations) => onAnswer({ ...answers, frustrations })}
        />
      );
    case 'process-types':
      return (
        <LongAnswer
          label="Your processes"
          value={answers.processTypes}
          error={errorOf('processTypes')}
          onChange={(processTypes) => onAnswer({ ...answers, processTypes })}
        />
      );
    case 'collaboration-size':
      return (
        <Field label="People" error={errorOf('collaborationSize')}>
          {(control) => (
            <Input
              {...control}
              large
              data-focus
              name="collaborationSize"
              autoComplete="off"
              maxLength={5000}
              value={answers.collaborationSize}
              onChange={(event) => onAnswer({ ...answers, collaborationSize: event.target.value })}
            />
          )}
        </Field>
      );
    default:
      return null;
  }
}

type LongAnswerProps = { label: string; value: string; error: string | undefined; onChange: (text: string) => void };

function LongAnswer({ label, value, error, onChange }: LongAnswerProps) {
  return (
    <Field label={label} error={error} hint={<span className={styles.finePointer}>Shift+Enter for a new line</span>}>
      {(control) => (
        <Textarea
          {...control}
          className={styles.longAnswer}
          data-focus
          rows={6}
          maxLength={5000}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
