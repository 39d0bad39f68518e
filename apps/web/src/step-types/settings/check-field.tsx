import { ChoiceBox, ChoiceInput } from '../../ui/check-row.tsx';
import styles from './step-settings.module.css';

type CheckFieldProps = { label: string; checked: boolean; onChange: (checked: boolean) => void };

export function CheckField({ label, checked, onChange }: CheckFieldProps) {
  return (
    <label className={styles.stepCheck}>
      <ChoiceInput
        kind="checkbox"
        className="vh"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <ChoiceBox />
      {label}
    </label>
  );
}
