import { OTHER } from '@stet/domain/waitlist';
import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { TextField } from '../../../ui/field.tsx';
import type { Answers } from '../model/answers.ts';
import type { Choice } from '../model/choices.ts';
import type { Question } from '../model/steps.ts';
import { ChoiceList } from './choice-list.tsx';

type PickedAnswerProps = {
  question: Question;
  title: string;
  choice: Choice;
  answers: Answers;
  onAnswer: (answers: Answers) => void;
  /** Set when Other was picked by pointer or digit: its field then takes the focus. */
  leadsToOther: RefObject<boolean>;
};

/** The options of a question, and under them the field for Other while that is picked. */
export function PickedAnswer({ question, title, choice, answers, onAnswer, leadsToOther }: PickedAnswerProps) {
  const { other } = choice;
  return (
    <fieldset className="picked-answer">
      <legend className="vh">{title}</legend>
      <ChoiceList
        kind={choice.kind}
        name={question}
        options={choice.options}
        picked={choice.picked}
        onPick={(option) => onAnswer(choice.pick(option))}
        onPoint={(option) => {
          leadsToOther.current = option === OTHER && !choice.picked.includes(option);
        }}
      />
      {other && (
        <OtherField
          label={other.label}
          value={answers[other.key]}
          onChange={(text) => onAnswer({ ...answers, [other.key]: text })}
          leadsHere={leadsToOther}
        />
      )}
    </fieldset>
  );
}

type OtherFieldProps = {
  label: string;
  value: string;
  onChange: (text: string) => void;
  leadsHere: RefObject<boolean>;
};

function OtherField({ label, value, onChange, leadsHere }: OtherFieldProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (leadsHere.current) place.current?.querySelector('input')?.focus();
    leadsHere.current = false;
  }, [leadsHere]);
  return (
    <div ref={place}>
      <TextField label={label} large autoComplete="off" maxLength={200} value={value} onChange={onChange} />
    </div>
  );
}
