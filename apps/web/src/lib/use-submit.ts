import { useState } from 'react';

export type Submission = { state: 'idle' } | { state: 'busy' } | { state: 'failed'; error: unknown };

/** Sends a form once at a time; what was typed stays, whatever comes back. Public pages have no query cache. */
export function useSubmit<Form>(act: (form: Form) => Promise<void>): {
  submission: Submission;
  submit: (form: Form) => void;
} {
  const [submission, setSubmission] = useState<Submission>({ state: 'idle' });
  const submit = (form: Form) => {
    if (submission.state === 'busy') return;
    setSubmission({ state: 'busy' });
    act(form).then(
      () => setSubmission({ state: 'idle' }),
      (error: unknown) => setSubmission({ state: 'failed', error }),
    );
  };
  return { submission, submit };
}
