import { checkExpression, namesFor, sampleNames } from '@stet/domain/expressions';
import type { Evaluated, NameEntry } from '@stet/domain/expressions';
import { branchTaken, withBranches, type ConditionStep, type Step } from '@stet/domain/steps';
import { isolated, stepsThatMayFollow, stepTitle } from '@stet/domain/workflows';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { nameSteps } from '@stet/domain/drafts';
import { type PickedCondition, pickedCondition } from '@stet/presentation/picked-condition';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { tryCondition } from './try-condition.ts';
import { type TypedSample, returnedNames, sampleOf } from '../settings/sample.ts';
import { withSetting } from '../settings/with-setting.ts';
import type { SettingsProps } from '../settings/settings-props.ts';
import { CodeEditor } from '../settings/code-editor.tsx';
import type { CodeEditorHandle } from '../settings/code-editor.tsx';
import { ConditionPicker } from './condition-picker.tsx';
import { conditionLanguage } from './condition-language.ts';
import { NameField } from '../settings/name-field.tsx';
import { SampleForm } from '../settings/sample-form.tsx';
import { StepSelect } from '../settings/step-select.tsx';
import styles from '../settings/step-settings.module.css';

const NOTHING_PICKED: PickedCondition = { join: 'and', picks: [] };

export function ConditionSettings({ step, steps, readOnly, tried, onChange }: SettingsProps<ConditionStep>) {
  const { config } = step;
  const text = config.condition ?? '';
  const editor = useRef<CodeEditorHandle>(null);
  const names = useMemo(() => namesFor(steps, step.id), [steps, step.id]);
  const context = useMemo(() => sampleNames(steps, step.id), [steps, step.id]);
  const language = useMemo(() => conditionLanguage(names, context), [names, context]);
  const followers = useMemo(() => stepsThatMayFollow(steps, step.id), [steps, step.id]);
  const valueNames = useMemo(() => ({ titleOf: nameSteps(steps), steps }), [steps]);
  const picked = text.trim() === '' ? NOTHING_PICKED : pickedCondition(text, valueNames);
  const [wantsText, setWantsText] = useState(false);
  const isPicking = picked !== null && !wantsText;
  const labelId = useId();
  const write = (condition: string | undefined) =>
    onChange({ ...step, config: withSetting(config, 'condition', condition) });
  const [problem] = text.trim() === '' ? [] : checkExpression(text, context);
  const branches = { trueNext: config.trueNext || undefined, falseNext: config.falseNext || undefined };

  return (
    <>
      {isPicking ? (
        <div role="group" aria-labelledby={labelId} className={styles.codeField}>
          <div className={styles.lab}>
            <span id={labelId}>Condition</span>
            {!readOnly && (
              <Button size="sm" tone="quiet" onClick={() => setWantsText(true)}>
                Edit as expression
              </Button>
            )}
          </div>
          <ConditionPicker
            text={text}
            picked={picked}
            names={names}
            steps={steps}
            tried={tried}
            onChange={(condition) => write(condition || undefined)}
          />
        </div>
      ) : (
        <CodeEditor
          label="Condition"
          value={text}
          readOnly={readOnly}
          extension={language}
          handle={editor}
          hint={
            problem ? `${problem.problem}.` : 'For example run.priority = "high". Suggestions appear while you type.'
          }
          tools={
            !readOnly && (
              <div className={styles.codeTools}>
                <Button
                  size="sm"
                  tone="quiet"
                  disabledReason={picked === null ? 'This expression isn’t a chain of simple comparisons' : undefined}
                  onClick={() => setWantsText(false)}
                >
                  Pick from lists
                </Button>
                <NameField
                  label="Insert a value"
                  placeholder="Insert a value"
                  names={names}
                  steps={steps}
                  onPick={({ expression }) => editor.current?.insert(expression)}
                />
              </div>
            )
          }
          onChange={write}
        />
      )}
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
      {!readOnly && <TryCondition step={step} steps={steps} names={names} />}
    </>
  );
}

type TryConditionProps = { step: ConditionStep; steps: readonly Step[]; names: readonly NameEntry[] };

/** The condition's result for the sample data. It is updated whenever the person stops typing. */
function TryCondition({ step, steps, names }: TryConditionProps) {
  const [typed, setTyped] = useState<TypedSample | null>(null);
  const [result, setResult] = useState<Evaluated<boolean> | null>(null);
  const condition = step.config.condition ?? '';
  const all = useMemo(
    () => [...names, ...returnedNames(condition, steps, step.id)],
    [names, condition, steps, step.id],
  );
  const sample = useMemo(() => typed && sampleOf(steps, step.id, all, typed), [steps, step.id, all, typed]);

  useEffect(() => {
    if (!sample || condition.trim() === '') return undefined;
    let current = true;
    const timer = setTimeout(() => {
      void tryCondition(condition, sample).then((found) => current && setResult(found));
    }, 250);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [sample, condition]);

  if (typed === null) {
    return (
      <div className={styles.tryOut}>
        <Button size="sm" onClick={() => setTyped({})}>
          Try it
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.tryOut} data-optional="">
      <SampleForm
        names={all}
        isUsed={({ expression }) => condition.includes(expression)}
        steps={steps}
        typed={typed}
        onChange={setTyped}
      />
      {condition.trim() === '' ? (
        <Note>Enter a condition to try it.</Note>
      ) : (
        result && <Outcome result={result} step={step} steps={steps} />
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
