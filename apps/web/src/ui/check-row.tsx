import { CircleAlert } from 'lucide-react';
import { createContext, useContext, useId } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { Icon } from './icon.tsx';
import './check-row.css';

type ChoiceInputProps = Omit<ComponentProps<'input'>, 'type'> & { kind: 'checkbox' | 'radio' };

/** Only the native control, for choices whose feature provides the card or row. */
export function ChoiceInput({ kind, ...rest }: ChoiceInputProps) {
  return <input {...rest} type={kind} />;
}

/** The id of the group's error message. */
const GroupError = createContext<string | undefined>(undefined);

type CheckRowProps = {
  checked: boolean;
  onChange: (checked: boolean) => void;
  about?: ReactNode;
  disabled?: boolean;
  children: ReactNode;
};

/** A native checkbox with a label and a description below. */
export function CheckRow({ checked, onChange, about, disabled = false, children }: CheckRowProps) {
  const error = useContext(GroupError);
  return (
    <label className="check-row">
      <ChoiceInput
        kind="checkbox"
        checked={checked}
        disabled={disabled}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>
        {children}
        {about && <span className="about">{about}</span>}
      </span>
    </label>
  );
}

type CheckGroupProps = {
  label: ReactNode;
  /** Help below the choices. An error replaces it. */
  hint?: ReactNode;
  error?: string | null | undefined;
  children: ReactNode;
};

/** A group of checkboxes with a label. */
export function CheckGroup({ label, hint, error, children }: CheckGroupProps) {
  const id = useId();
  return (
    <fieldset className="check-group field" aria-describedby={hint && !error ? id : undefined}>
      <legend>{label}</legend>
      <GroupError value={error ? id : undefined}>{children}</GroupError>
      {error ? (
        <span className="err" id={id} role="alert">
          <Icon of={CircleAlert} size="s" />
          {error}
        </span>
      ) : (
        hint && (
          <span className="hint" id={id}>
            {hint}
          </span>
        )
      )}
    </fieldset>
  );
}
