import { sampleNames } from '@stet/domain/expressions';
import { STEP_KINDS, type AutomatedStep, type Step } from '@stet/domain/steps';
import { Play } from 'lucide-react';
import { useMemo, useState } from 'react';
import { errorSentence } from '../../lib/api/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { type Trial, useScriptTrial } from './use-script-trial.ts';
import { type Sample, readSample, writeSample } from '../settings/sample.ts';
import { SampleField } from '../settings/sample-field.tsx';
import styles from '../settings/step-settings.module.css';

type ScriptTrialProps = { step: AutomatedStep; steps: readonly Step[] };

/** Runs the script on the server with sample data. Nothing is saved. */
export function ScriptTrial({ step, steps }: ScriptTrialProps) {
  const [text, setText] = useState<string | null>(null);
  const read = useMemo(() => (text === null ? null : readSample(text)), [text]);
  const trial = useScriptTrial();
  const { script = '', timeout = STEP_KINDS.automated.defaults.config.timeout } = step.config;

  const run = (sample: Sample) => trial.mutate({ script, timeout, sample, step: { id: step.id, title: step.title } });
  const begin = () => {
    const begun = writeSample(sampleNames(steps, step.id));
    setText(begun);
    const sample = readSample(begun);
    if (sample.ok && script.trim() !== '') run(sample.sample);
  };
  if (read === null) {
    return (
      <div className={styles.tryOut} data-optional="">
        <Button size="sm" onClick={begin}>
          Try it
        </Button>
      </div>
    );
  }
  const refused =
    script.trim() === '' ? 'There is no script to run' : read.ok ? undefined : 'The sample must be valid JSON';
  return (
    <div className={styles.tryOut} data-optional="">
      <SampleField text={text ?? ''} problem={read.ok ? null : read.problem} onChange={setText} />
      <Button
        size="sm"
        icon={Play}
        onClick={() => read.ok && run(read.sample)}
        busy={trial.isPending && 'Running...'}
        disabledReason={refused}
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
      {trial.ok && <pre aria-label="Returned value">{JSON.stringify(trial.output, null, 2)}</pre>}
      {trial.log.length > 0 && (
        <>
          <span className="label">Log</span>
          <pre aria-label="Log">{trial.log.join('\n')}</pre>
        </>
      )}
    </>
  );
}
