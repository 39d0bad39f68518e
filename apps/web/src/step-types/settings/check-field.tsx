import { Check } from 'lucide-react';
import { ChoiceInput } from '../../ui/check-row.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './step-settings.module.css';

type CheckFieldProps = { label: string; checked: boolean; onChange: (checked: boolean) => void };

/** A checkbox with its label. */
export function CheckField({ label, checked, onChange }: CheckFieldProps) {
  return (
    <label className={styles.stepCheck}>
      <ChoiceInput
        kind="checkbox"
        className="vh"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="choice-box" aria-hidden="true">
        <Icon of={Check} size="xs" />
      </span>
      {label}
    </label>
  );
}
