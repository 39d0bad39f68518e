import { useEffect, useRef } from 'react';
import { TextField } from '../../../ui/field.tsx';
import type { Application } from '../api/use-application.ts';
import type { Answers } from '../model/answers.ts';
import type { ChoiceQuestion } from '../model/choices.ts';
import type { Question } from '../model/steps.ts';
import { ChoiceList } from './choice-list.tsx';
import type { PickedWith } from './choice-list.tsx';
import styles from './application-step.module.css';

type PickedAnswerProps = {
  question: Question;
  title: string;
  choice: ChoiceQuestion;
  answers: Answers;
  onPick: (option: string, pickedWith: PickedWith) => void;
  onAnswer: (answers: Answers) => void;
  errorOf: Application['errorOf'];
  /** Whether the field for Other should receive the focus when it appears. */
  leadsToOther: boolean;
};

/** A question's options. If Other is chosen, its field is below them. */
export function PickedAnswer(props: PickedAnswerProps) {
  const { question, title, choice, answers, onPick, onAnswer, errorOf, leadsToOther } = props;
  const { other } = choice;
  return (
    <fieldset className={styles.pickedAnswer}>
      <legend className="vh">{title}</legend>
      <ChoiceList kind={choice.kind} name={question} options={choice.options} picked={choice.picked} onPick={onPick} />
      {other && (
        <OtherField
          label={other.label}
          value={answers[other.key]}
          error={errorOf(other.key)}
          onChange={(text) => onAnswer({ ...answers, [other.key]: text })}
          takesFocus={leadsToOther}
        />
      )}
    </fieldset>
  );
}

type OtherFieldProps = {
  label: string;
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
  takesFocus: boolean;
};

function OtherField({ label, value, error, onChange, takesFocus }: OtherFieldProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) place.current?.querySelector('input')?.focus();
  }, [takesFocus]);
  return (
    <div ref={place}>
      <TextField
        label={label}
        large
        autoComplete="off"
        maxLength={200}
        value={value}
        error={error}
        onChange={onChange}
      />
    </div>
  );
}
