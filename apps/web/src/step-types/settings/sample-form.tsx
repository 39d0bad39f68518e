import type { NameEntry } from '@stet/domain/expressions';
import { type Step, isFileKind } from '@stet/domain/steps';
import { valueWords } from '@stet/presentation/condition-words';
import { nameSteps } from '@stet/domain/drafts';
import { useMemo } from 'react';
import { FormField } from '../manual/form-field.tsx';
import { type TypedSample, sampleKey, sampleText } from './sample.ts';
import styles from './step-settings.module.css';

type SampleFormProps = {
  names: readonly NameEntry[];
  /** The names that the script or condition mentions. The others are folded away, unless it mentions none. */
  isUsed: (name: NameEntry) => boolean;
  steps: readonly Step[];
  typed: TypedSample;
  onChange: (typed: TypedSample) => void;
};

/** The values that a trial uses, each in a field of its kind. Nothing is saved. */
export function SampleForm({ names, isUsed, steps, typed, onChange }: SampleFormProps) {
  const valueNames = useMemo(() => ({ titleOf: nameSteps(steps), steps }), [steps]);
  // Trials have no files.
  const shown = names.filter(({ kind }) => !isFileKind(kind));
  const used = shown.filter(isUsed);
  const others = shown.filter((name) => !used.includes(name));
  const field = (name: NameEntry) => {
    const [first, ...rest] = name.path;
    const path = first === 'run' ? { stepId: null, parts: rest } : { stepId: rest[0] ?? '', parts: rest.slice(1) };
    const key = sampleKey(name);
    return (
      <FormField
        key={key}
        field={{
          id: key,
          label: valueWords(path, valueNames),
          kind: name.kind,
          options: [...(name.options ?? [])],
          required: true,
        }}
        value={typed[key] ?? sampleText(name)}
        error={undefined}
        onChange={(text) => onChange({ ...typed, [key]: text })}
        onBlur={undefined}
      />
    );
  };
  return (
    <fieldset className={styles.sample}>
      <legend>Sample values</legend>
      <p className="xs muted">Change them to test other cases. They aren’t saved.</p>
      {used.map(field)}
      {others.length > 0 && (
        <details open={used.length === 0}>
          <summary>{used.length === 0 ? 'Values' : 'Other values'}</summary>
          <div className={styles.sampleOthers}>{others.map(field)}</div>
        </details>
      )}
    </fieldset>
  );
}
