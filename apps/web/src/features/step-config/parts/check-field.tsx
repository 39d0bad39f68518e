import { Check } from 'lucide-react';
import { Icon } from '../../../ui/icon.tsx';

type CheckFieldProps = { label: string; checked: boolean; onChange: (checked: boolean) => void };

/** A box to tick, with its sentence. */
export function CheckField({ label, checked, onChange }: CheckFieldProps) {
  return (
    <label className="step-check">
      <input type="checkbox" className="vh" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span className="box" aria-hidden="true">
        <Icon of={Check} size="xs" />
      </span>
      {label}
    </label>
  );
}
