import type { Step } from '@stet/domain/workflows';
import { LIMITS } from '@stet/domain/workflows';
import { CornerDownRight, X } from 'lucide-react';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { namedSteps } from '../model/step-words.ts';

type NextChoiceProps = {
  step: Step;
  steps: readonly Step[];
  readOnly: boolean;
  onChange: (next: string[]) => void;
};

/** By how many of its results a step names the step that follows: what is chosen here is for the others. */
const LEGENDS = ['Goes on to', 'Otherwise goes on to', 'Goes on to in both cases'] as const;

/** Which steps follow, by title; the row below unless something else is chosen. Where a step decides, only what it doesn't name. */
export function NextChoice({ step, steps, readOnly, onChange }: NextChoiceProps) {
  const named = namedSteps(steps);
  const nameOf = (id: string) => named.find((each) => each.id === id)?.name ?? 'A step that is gone';
  const decided = step.type === 'condition' ? [step.config.trueNext, step.config.falseNext] : [];
  const shown = step.next.filter((id) => !decided.includes(id));
  const following = steps[steps.findIndex(({ id }) => id === step.id) + 1];
  const plain = following ? [following.id] : [];
  const isPlain = decided.every((id) => !id) && step.next.length === plain.length && step.next[0] === plain[0];
  const others = named.filter(({ id }) => id !== step.id && !step.next.includes(id));
  if (step.type === 'condition' && decided.some(Boolean) && shown.length === 0) return null;
  return (
    <fieldset className="next-choice">
      <legend>{LEGENDS[decided.filter(Boolean).length] ?? LEGENDS[0]}</legend>
      {shown.length === 0 ? (
        <p className="muted">Nothing: the workflow ends here.</p>
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
                  label={`Don’t go on to ${nameOf(id)}`}
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
        <div className="next-choice-acts">
          <Field label="Go on to another step" labelHidden>
            {(control) => (
              <Select
                {...control}
                value=""
                disabled={others.length === 0 || step.next.length >= LIMITS.nextPerStep}
                onChange={({ target }) => target.value && onChange([...step.next, target.value])}
              >
                <option value="">Add a step that follows…</option>
                {others.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {!isPlain && decided.every((id) => !id) && (
            <Button size="sm" tone="quiet" onClick={() => onChange(plain)}>
              Follow the order of the table
            </Button>
          )}
        </div>
      )}
    </fieldset>
  );
}
