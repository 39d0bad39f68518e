import type { NameEntry } from '@stet/domain/expressions';
import { STEP_KINDS, type AutomatedStep, type Step } from '@stet/domain/steps';
import { Play } from 'lucide-react';
import { useMemo, useState } from 'react';
import { errorSentence } from '../../lib/api/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { OutputLines } from '../run/step-output.tsx';
import { inScript } from '../settings/name-texts.ts';
import { SampleForm } from '../settings/sample-form.tsx';
import { type TypedSample, returnedNames, sampleOf, type Sample } from '../settings/sample.ts';
import styles from '../settings/step-settings.module.css';
import type { OkOf } from '@stet/contract';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';

type ScriptTrialProps = { step: AutomatedStep; steps: readonly Step[]; names: readonly NameEntry[] };

/** A trial of the script with sample data. */
export function ScriptTrial({ step, steps, names }: ScriptTrialProps) {
  const [typed, setTyped] = useState<TypedSample | null>(null);
  const trial = useScriptTrial();
  const { script = '', timeout = STEP_KINDS.automated.defaults.config.timeout } = step.config;
  const all = useMemo(() => [...names, ...returnedNames(script, steps, step.id)], [names, script, steps, step.id]);

  const run = (values: TypedSample) =>
    trial.mutate({
      script,
      timeout,
      sample: sampleOf(steps, step.id, all, values),
      step: { id: step.id, title: step.title },
    });
  const begin = () => {
    setTyped({});
    if (script.trim() !== '') run({});
  };
  if (typed === null) {
    return (
      <div className={styles.tryOut} data-optional="">
        <Button size="sm" onClick={begin}>
          Try it
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.tryOut} data-optional="">
      <SampleForm
        names={all}
        isUsed={(name) => script.includes(inScript(name))}
        steps={steps}
        typed={typed}
        onChange={setTyped}
      />
      <Button
        size="sm"
        icon={Play}
        onClick={() => run(typed)}
        busy={trial.isPending && 'Running...'}
        disabledReason={script.trim() === '' ? 'There is no script to run' : undefined}
      >
        Run script
      </Button>
      {trial.error && <Note tone="bad">{errorSentence(trial.error, 'The script could not be run')}</Note>}
      {trial.data && <Outcome trial={trial.data} />}
    </div>
  );
}

function Outcome({ trial }: { trial: Trial }) {
  return (
    <>
      {trial.ok ? <Note tone="ok">Returned</Note> : <Note tone="warn">{trial.reason}</Note>}
      {trial.ok && (
        <div role="group" aria-label="Returned value" className={styles.returned}>
          <OutputLines step={{ output: trial.output, fields: [] }} />
        </div>
      )}
      {trial.log.length > 0 && (
        <>
          <span className="label">Log</span>
          <pre aria-label="Log">{trial.log.join('\n')}</pre>
        </>
      )}
    </>
  );
}

type Trial = OkOf<'POST /api/workflows/script-trial'>;
type Asked = { script: string; timeout: number; sample: Sample; step: { id: string; title: string } };

/** Runs a script once on the server, in the same sandbox as in runs. Nothing is saved. */
const useScriptTrial = () =>
  useMutation({
    mutationFn: ({ script, timeout, sample, step }: Asked): Promise<Trial> =>
      api('POST /api/workflows/script-trial', { body: { script, timeout, ...sample, step } }),
  });
