import type { ReactNode } from 'react';
import { CircleAlert } from 'lucide-react';
import { Icon } from './icon.tsx';
import './check-row.css';

type CheckRowProps = {
  checked: boolean;
  onChange: (checked: boolean) => void;
  about?: ReactNode;
  disabled?: boolean;
  children: ReactNode;
};

/** A native checkbox with its words, and what they mean below. */
export function CheckRow({ checked, onChange, about, disabled = false, children }: CheckRowProps) {
  return (
    <label className="check-row">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>
        {children}
        {about && <span className="about">{about}</span>}
      </span>
    </label>
  );
}

type CheckGroupProps = { label: string; error?: string | null; children: ReactNode };

/** Checkboxes that belong together, under one name. */
export function CheckGroup({ label, error, children }: CheckGroupProps) {
  return (
    <fieldset className="check-group field">
      <legend>{label}</legend>
      {children}
      {error && (
        <span className="err" role="alert">
          <Icon of={CircleAlert} size="s" />
          {error}
        </span>
      )}
    </fieldset>
  );
}
