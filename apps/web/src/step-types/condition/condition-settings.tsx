import { checkExpression, namesFor, sampleNames } from '@stet/domain/expressions';
import type { Evaluated } from '@stet/domain/expressions';
import { branchTaken, withBranches, type ConditionStep, type Step } from '@stet/domain/steps';
import { isolated, stepsThatMayFollow, stepTitle } from '@stet/domain/workflows';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { tryCondition } from './try-condition.ts';
import { readSample, writeSample } from '../settings/sample.ts';
import { withSetting } from '../settings/with-setting.ts';
import type { SettingsProps } from '../settings/settings-props.ts';
import { CodeEditor } from '../settings/code-editor.tsx';
import type { CodeEditorHandle } from '../settings/code-editor.tsx';
import { conditionLanguage } from './condition-language.ts';
import { InsertName } from '../settings/insert-name.tsx';
import { SampleField } from '../settings/sample-field.tsx';
import { StepSelect } from '../settings/step-select.tsx';
import styles from '../settings/step-settings.module.css';

/** The condition, and the next step for each result. */
export function ConditionSettings({ step, steps, readOnly, onChange }: SettingsProps<ConditionStep>) {
  const { config } = step;
  const text = config.condition ?? '';
  const editor = useRef<CodeEditorHandle>(null);
  const names = useMemo(() => namesFor(steps, step.id), [steps, step.id]);
  const context = useMemo(() => sampleNames(steps, step.id), [steps, step.id]);
  const language = useMemo(() => conditionLanguage(names, context), [names, context]);
  const followers = useMemo(() => stepsThatMayFollow(steps, step.id), [steps, step.id]);
  const [problem] = text.trim() === '' ? [] : checkExpression(text, context);
  const branches = { trueNext: config.trueNext || undefined, falseNext: config.falseNext || undefined };

  return (
    <>
      <CodeEditor
        label="Condition"
        value={text}
        readOnly={readOnly}
        extension={language}
        handle={editor}
        hint={problem ? `${problem.problem}.` : 'For example run.priority = "high". Suggestions appear while you type.'}
        tools={
          !readOnly && (
            <InsertName
              names={names}
              textOf={(name) => name.expression}
              onInsert={(name) => editor.current?.insert(name)}
            />
          )
        }
        onChange={(condition) => onChange({ ...step, config: withSetting(config, 'condition', condition) })}
      />
      <div className={styles.stepTwo}>
        <StepSelect
          label="If true, go to"
          value={branches.trueNext}
          none={branches.falseNext ? 'The next step' : 'Not set'}
          choices={followers}
          steps={steps}
          onChange={(trueNext) => onChange(withBranches(step, { ...branches, trueNext }))}
        />
        <StepSelect
          label="If false, go to"
          value={branches.falseNext}
          none={branches.trueNext ? 'The next step' : 'Not set'}
          choices={followers}
          steps={steps}
          onChange={(falseNext) => onChange(withBranches(step, { ...branches, falseNext }))}
        />
      </div>
      {!readOnly && <TryCondition step={step} steps={steps} sample={context} />}
    </>
  );
}

type TryConditionProps = {
  step: ConditionStep;
  steps: readonly Step[];
  sample: { outputs: object; run: object };
};

/** The condition's result for the sample data. It is updated while the person types. */
function TryCondition({ step, steps, sample }: TryConditionProps) {
  const [text, setText] = useState<string | null>(null);
  const [result, setResult] = useState<Evaluated<boolean> | null>(null);
  const read = useMemo(() => (text === null ? null : readSample(text)), [text]);
  const condition = step.config.condition ?? '';

  useEffect(() => {
    if (!read?.ok || condition.trim() === '') return undefined;
    let current = true;
    // Wait until the person stops typing.
    const timer = setTimeout(() => {
      void tryCondition(condition, read.sample).then((found) => current && setResult(found));
    }, 250);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [read, condition]);

  if (read === null) {
    return (
      <div className={styles.tryOut}>
        <Button size="sm" onClick={() => setText(writeSample(sample))}>
          Try it
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.tryOut}>
      <SampleField text={text ?? ''} problem={read.ok ? null : read.problem} onChange={setText} />
      {condition.trim() === '' ? (
        <Note>Enter a condition to try it.</Note>
      ) : (
        result && read.ok && <Outcome result={result} step={step} steps={steps} />
      )}
    </div>
  );
}

function Outcome({ result, step, steps }: { result: Evaluated<boolean>; step: ConditionStep; steps: readonly Step[] }) {
  if (!result.ok) return <Note tone="warn">{result.problem.problem}</Note>;
  const leads = branchTaken(step, result.value).map((id) => {
    const index = steps.findIndex((each) => each.id === id);
    const target = steps[index];
    return target ? `${index + 1} ${isolated(stepTitle(target))}` : id;
  });
  return (
    <Note tone="ok">
      {result.value ? 'True' : 'False'}
      {leads.length > 0 ? `: leads to ${leads.join(' and ')}` : '. No step follows'}
    </Note>
  );
}
