import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useIntent } from '../../../lib/api/intent.ts';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { applicationBody } from '../model/answers.ts';
import type { Answers } from '../model/answers.ts';
import { readSaved, writeSaved } from '../model/saved-answers.ts';
import {
  QUESTIONS,
  answersOf,
  isQuestion,
  isStep,
  reachableStep,
  stepAfter,
  stepBefore,
  stepProblem,
} from '../model/steps.ts';
import type { Step } from '../model/steps.ts';
import { applicationSchema, applyForPriority } from './waitlist-calls.ts';
import { answersStore } from './answers-store.ts';

export type Application = {
  step: Step;
  answers: Answers;
  /** The reason why Continue is disabled. Null if it isn't. */
  problem: string | null;
  /** An answer's error, in the contract's words. */
  errorOf: (name: keyof Answers) => string | undefined;
  isSending: boolean;
  /** The reason why sending failed, if the cause isn't an answer. Otherwise null. */
  failure: string | null;
  answer: (answers: Answers) => void;
  goOn: (form: HTMLFormElement) => void;
  goBack: () => void;
};

/** The step stored in the history entry. Back therefore returns to the previous question. */
function stepOf(state: unknown): Step {
  const step: unknown = typeof state === 'object' && state !== null && 'step' in state ? state.step : null;
  return isStep(step) ? step : 'start';
}

/** The priority application's state. Answers survive a reload until they are sent. */
export function useApplication(): Application {
  const navigate = useNavigate();
  const location = useLocation();
  const prefill = useSearchParams()[0].get('email')?.trim() ?? '';
  const [saved] = useState(() => readSaved(answersStore.read(), prefill));
  const intent = useIntent();
  const form = useContractForm({
    schema: applicationSchema,
    initial: saved,
    body: applicationBody,
    failed: 'Failed to submit application',
    send: async (body) => {
      try {
        await applyForPriority(body, intent.keyFor(body));
        intent.finish();
      } catch (error) {
        intent.finish(error);
        throw error;
      }
      answersStore.clear();
      go('complete', { replace: true });
    },
  });
  const answers = form.values;
  const step = reachableStep(stepOf(location.state), answers);
  const problem = stepProblem(step, answers);
  const errorOf = (name: keyof Answers) => form.field(name).error;
  useEffect(() => {
    if (step !== 'complete') answersStore.write(writeSaved(answers, prefill));
  }, [answers, prefill, step]);

  const go = (to: Step, { replace = false } = {}) => {
    const { pathname, search } = location;
    if (to !== step) void navigate({ pathname, search }, { state: { step: to }, replace });
  };
  // The last question sends everything, so an earlier answer may be refused.
  const refused = QUESTIONS.find((question) => answersOf(question).some(errorOf));
  const showRefused = useEffectEvent((question: Step) => step === 'frequency' && go(question));
  useEffect(() => {
    if (refused) showRefused(refused);
  }, [refused]);

  return {
    step,
    answers,
    problem,
    errorOf,
    isSending: form.isSending,
    failure: form.problem,
    answer: form.change,
    goOn: (element) => {
      if (problem !== null || form.isSending) return;
      if (step === 'frequency') form.submitFrom(element);
      else if (!isQuestion(step) || form.checkFields(answersOf(step))) go(stepAfter(step, answers));
    },
    goBack: () => {
      if (!form.isSending) go(stepBefore(step));
    },
  };
}
