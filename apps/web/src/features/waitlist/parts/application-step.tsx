import { OTHER } from '@stet/domain/waitlist';
import { useEffect, useRef } from 'react';
import type { FormEvent } from 'react';
import type { Application } from '../api/use-application.ts';
import { choiceOf } from '../model/choices.ts';
import { STEP_TEXTS } from '../model/step-texts.ts';
import { QUESTIONS, isQuestion, questionNumber } from '../model/steps.ts';
import { PickedAnswer } from './picked-answer.tsx';
import { StepActions } from './step-actions.tsx';
import { stepKeys } from './step-keys.ts';
import { WrittenAnswer } from './written-answer.tsx';
import './application-step.css';

type ApplicationStepProps = { application: Application; onDone: () => void };

/** One step: its question, what one answers it with, and the way on. Give it the step as its key. */
export function ApplicationStep({ application, onDone }: ApplicationStepProps) {
  const { step, answers, answer, goOn } = application;
  const { title, lede } = STEP_TEXTS[step];
  const choice = choiceOf(step, answers);
  const form = useRef<HTMLFormElement>(null);
  const leadsToOther = useRef(false);
  const onward = step === 'complete' ? onDone : goOn;

  // A new question: its field takes the focus, or where one picks, its heading, so that it is read out.
  useEffect(() => {
    window.scrollTo(0, 0);
    const fields = form.current?.querySelectorAll<HTMLElement>('[data-focus], h1') ?? [];
    [...fields].at(-1)?.focus({ preventScroll: true });
  }, []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    onward();
  };
  const pickByKey = (option: string) => {
    if (!choice) return;
    leadsToOther.current = option === OTHER && !choice.picked.includes(option);
    answer(choice.pick(option));
  };

  return (
    // The form takes the keys of what is inside it, and the focus when one clicks beside its controls.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className="application-step"
      ref={form}
      tabIndex={-1}
      noValidate
      onSubmit={submit}
      onKeyDown={stepKeys({ options: choice?.options ?? [], onOption: pickByKey, onEnter: onward })}
    >
      {isQuestion(step) && (
        <p className="number">
          Question {questionNumber(step)} of {QUESTIONS.length}
        </p>
      )}
      <h1 tabIndex={-1}>{step === 'complete' ? <span className="stands">{title}</span> : title}</h1>
      <p className="lede">{lede}</p>
      {choice && isQuestion(step) && (
        <PickedAnswer
          question={step}
          title={title}
          choice={choice}
          answers={answers}
          onAnswer={answer}
          leadsToOther={leadsToOther}
        />
      )}
      <WrittenAnswer step={step} answers={answers} onAnswer={answer} />
      <StepActions application={application} />
    </form>
  );
}
