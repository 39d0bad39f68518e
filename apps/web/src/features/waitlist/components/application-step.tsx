import { OTHER } from '@stet/domain/waitlist';
import { useLayoutEffect, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import type { Application } from '../api/use-application.ts';
import { choiceOf } from '../model/choices.ts';
import { STEP_TEXTS } from '../model/step-texts.ts';
import { QUESTIONS, isQuestion, questionNumber } from '../model/steps.ts';
import { PickedAnswer } from './picked-answer.tsx';
import { StepActions } from './step-actions.tsx';
import { stepKeys } from './step-keys.ts';
import { WrittenAnswer } from './written-answer.tsx';
import styles from './application-step.module.css';

type ApplicationStepProps = { application: Application; onDone: () => void };

/** One step with its question, input and buttons. Pass the step as the React `key`. */
export function ApplicationStep({ application, onDone }: ApplicationStepProps) {
  const { step, answers, answer, errorOf, goOn } = application;
  const { title, lede, aside } = STEP_TEXTS[step];
  const choice = choiceOf(step, answers);
  const form = useRef<HTMLFormElement>(null);
  const [leadsToOther, setLeadsToOther] = useState(false);
  const onward = (element: HTMLFormElement) => (step === 'complete' ? onDone() : goOn(element));

  // Focus the field of a new question or, for a choice, its heading, so that screen readers read it. This happens
  // before the paint, so that fast typists don't lose a keystroke.
  useLayoutEffect(() => {
    window.scrollTo(0, 0);
    const fields = form.current?.querySelectorAll<HTMLElement>('[data-focus], h1') ?? [];
    [...fields].at(-1)?.focus({ preventScroll: true });
  }, []);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onward(event.currentTarget);
  };
  const pick = (option: string, leadsOn: boolean) => {
    if (!choice) return;
    setLeadsToOther(leadsOn && option === OTHER);
    answer(choice.pick(option));
  };

  return (
    // The form handles keys from its controls, and receives the focus when people click outside them.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className={classNames(styles.applicationStep, !isQuestion(step) && styles.still)}
      ref={form}
      tabIndex={-1}
      noValidate
      onSubmit={submit}
      onKeyDown={stepKeys({
        options: choice?.options ?? [],
        onOption: (option) => pick(option, true),
        onEnter: onward,
      })}
    >
      {isQuestion(step) && (
        <p className={styles.number}>
          Question {questionNumber(step)} of {QUESTIONS.length}
        </p>
      )}
      <h1 tabIndex={-1}>{step === 'complete' ? <span className={styles.stands}>{title}</span> : title}</h1>
      <p className={styles.lede}>{lede}</p>
      {aside && <p className={styles.aside}>{aside}</p>}
      {choice && isQuestion(step) && (
        <PickedAnswer
          question={step}
          title={title}
          choice={choice}
          answers={answers}
          onPick={(option, pickedWith) => pick(option, pickedWith === 'pointer')}
          onAnswer={answer}
          errorOf={errorOf}
          leadsToOther={leadsToOther}
        />
      )}
      <WrittenAnswer step={step} answers={answers} onAnswer={answer} errorOf={errorOf} />
      <StepActions application={application} />
    </form>
  );
}
