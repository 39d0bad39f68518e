import { type Step, refersToNext } from '@stet/domain/steps';
import { LIMITS } from '@stet/domain/workflows';
import { CornerDownRight, X } from 'lucide-react';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { namedSteps } from '../builder/model/step-words.ts';
import styles from './step-form.module.css';

type NextChoiceProps = {
  step: Step;
  steps: readonly Step[];
  readOnly: boolean;
  onChange: (next: string[]) => void;
};

/**
 * The legend, indexed by the number of results of a condition that have their own branch. With one, the choice applies
 * only to the other result. With two, it applies to both, in addition to their branches.
 */
const LEGENDS = ['Next step', 'Otherwise, next step', 'Next step in both cases'] as const;

/** Chooses the next steps, by default the row below. Hides a condition's branches, which have their own fields. */
export function NextChoice({ step, steps, readOnly, onChange }: NextChoiceProps) {
  const named = namedSteps(steps);
  const nameOf = (id: string) => named.find((each) => each.id === id)?.name ?? 'A removed step';
  const decided = refersToNext(step).map(({ target }) => target);
  const shown = step.next.filter((id) => !decided.includes(id));
  const following = steps[steps.findIndex(({ id }) => id === step.id) + 1];
  const plain = following ? [following.id] : [];
  const isPlain = decided.length === 0 && step.next.length === plain.length && step.next[0] === plain[0];
  const others = named.filter(({ id }) => id !== step.id && !step.next.includes(id));
  if (decided.length > 0 && shown.length === 0) return null;
  return (
    <fieldset className={styles.nextChoice}>
      <legend>{LEGENDS[decided.length] ?? LEGENDS[0]}</legend>
      {shown.length === 0 ? (
        <p className="muted">The workflow ends here.</p>
      ) : (
        <ul>
          {shown.map((id) => (
            <li key={id}>
              <Icon of={CornerDownRight} size="s" />
              <span className="grow">
                {nameOf(id)}
                {isPlain && <span className="muted"> (the next row)</span>}
              </span>
              {!readOnly && (
                <IconButton
                  label={`Remove ${nameOf(id)}`}
                  title="Remove"
                  icon={X}
                  size="sm"
                  onClick={() => onChange(step.next.filter((each) => each !== id))}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {!readOnly && (
        <div className={styles.nextChoiceActs}>
          <Field label="Add a next step" labelHidden className={styles.nextChoiceField}>
            {(control) => (
              <Select
                {...control}
                value=""
                disabled={others.length === 0 || step.next.length >= LIMITS.nextPerStep}
                onChange={({ target }) => target.value && onChange([...step.next, target.value])}
              >
                <option value="">Add a next step…</option>
                {others.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {!isPlain && decided.length === 0 && (
            <Button size="sm" tone="quiet" onClick={() => onChange(plain)}>
              Use the table order
            </Button>
          )}
        </div>
      )}
    </fieldset>
  );
}
