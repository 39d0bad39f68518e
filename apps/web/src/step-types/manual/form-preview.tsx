import type { InputField } from '@stet/domain/steps';
import { useState } from 'react';
import { type Typed, fieldName } from '../run/typed.ts';
import { FormField } from './form-field.tsx';
import { fieldsNow, stepProblems } from './step-form.ts';
import { useRequired } from './use-required.ts';
import styles from '../settings/step-settings.module.css';

/** The form as a run shows it, with the problems that a person would see. Input isn't saved. */
export function FormPreview({ fields }: { fields: readonly InputField[] }) {
  const [typed, setTyped] = useState<Typed>({});
  const check = useRequired(fields);
  const problems = stepProblems(fields, typed, check);
  return (
    <details className={styles.formPreview} open>
      <summary>Preview of the form</summary>
      <div role="group" aria-label="Preview of the form">
        {fieldsNow(fields, typed, check).map((field) => {
          const name = fieldName(field.id);
          return (
            <FormField
              key={field.id}
              field={field.label.trim() === '' ? { ...field, label: 'Field without a label' } : field}
              value={typed[name] ?? ''}
              error={typed[name] === undefined ? undefined : problems.get(name)}
              onChange={(text) => setTyped({ ...typed, [name]: text })}
              onBlur={undefined}
            />
          );
        })}
      </div>
    </details>
  );
}
