import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { useIntent } from '../../../lib/api/intent.ts';
import { applicationBody } from '../model/answers.ts';
import type { Answers } from '../model/answers.ts';
import { readSaved, writeSaved } from '../model/saved-answers.ts';
import { isStep, reachableStep, stepAfter, stepBefore, stepProblem } from '../model/steps.ts';
import type { Step } from '../model/steps.ts';
import { applyForPriority } from './waitlist-calls.ts';
import { answersStore } from './answers-store.ts';

export type Sending = { state: 'idle' } | { state: 'busy' } | { state: 'failed'; error: string };

export type Application = {
  step: Step;
  answers: Answers;
  /** Why Continue is disabled. Null if it isn't. */
  problem: string | null;
  sending: Sending;
  answer: (answers: Answers) => void;
  goOn: () => void;
  goBack: () => void;
};

/** The step of this entry in the browser's history, so that Back returns to the previous question. */
function stepOf(state: unknown): Step {
  const step: unknown = typeof state === 'object' && state !== null && 'step' in state ? state.step : null;
  return isStep(step) ? step : 'start';
}

/** The state of the priority application. Answers survive a reload until they are sent. */
export function useApplication(): Application {
  const navigate = useNavigate();
  const location = useLocation();
  const prefill = useSearchParams()[0].get('email')?.trim() ?? '';
  const [answers, setAnswers] = useState(() => readSaved(answersStore.read(), prefill));
  const [sending, setSending] = useState<Sending>({ state: 'idle' });
  const intent = useIntent();
  const step = reachableStep(stepOf(location.state), answers);
  const problem = stepProblem(step, answers);
  useEffect(() => {
    if (step !== 'complete') answersStore.write(writeSaved(answers, prefill));
  }, [answers, prefill, step]);

  const go = (to: Step, { replace = false } = {}) => {
    const { pathname, search } = location;
    if (to !== step) void navigate({ pathname, search }, { state: { step: to }, replace });
  };
  const submit = () => {
    const body = applicationBody(answers);
    if (body === null) return;
    setSending({ state: 'busy' });
    applyForPriority(body, intent.keyFor(body)).then(
      () => {
        intent.finish();
        answersStore.clear();
        setSending({ state: 'idle' });
        go('complete', { replace: true });
      },
      (error: unknown) => {
        intent.finish(error);
        setSending({ state: 'failed', error: errorSentence(error, 'Failed to submit application') });
      },
    );
  };
  return {
    step,
    answers,
    problem,
    sending,
    answer: (given) => {
      setAnswers(given);
      if (sending.state === 'failed') setSending({ state: 'idle' });
    },
    goOn: () => {
      if (problem !== null || sending.state === 'busy') return;
      if (step === 'frequency') submit();
      else go(stepAfter(step, answers));
    },
    goBack: () => {
      if (sending.state === 'busy') return;
      setSending({ state: 'idle' });
      go(stepBefore(step));
    },
  };
}
