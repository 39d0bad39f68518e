import { Check } from 'lucide-react';
import { createContext, useContext, useId } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { FieldError } from './field.tsx';
import { Icon } from './icon.tsx';
import fieldStyles from './field.module.css';
import styles from './check-row.module.css';

type ChoiceInputProps = Omit<ComponentProps<'input'>, 'type'> & { kind: 'checkbox' | 'radio' };

/** Only the native control, for choices whose feature provides the card or row. */
export function ChoiceInput({ kind, ...rest }: ChoiceInputProps) {
  return <input {...rest} type={kind} />;
}

/** The box of a visually hidden `ChoiceInput`, which is right before it. */
export function ChoiceBox({ round = false }: { round?: boolean }) {
  return (
    <span className={classNames(styles.box, round && styles.round)} aria-hidden="true">
      {!round && <Icon of={Check} size="xs" />}
    </span>
  );
}

/** The id of the group's error message. */
const GroupError = createContext<string | undefined>(undefined);

type CheckRowProps = {
  checked: boolean;
  onChange: (checked: boolean) => void;
  about?: ReactNode;
  disabled?: boolean;
  className?: string | undefined;
  children: ReactNode;
};

/** A native checkbox with a label and a description below. */
export function CheckRow({ checked, onChange, about, disabled = false, className, children }: CheckRowProps) {
  const error = useContext(GroupError);
  return (
    <label className={classNames(styles.row, className)}>
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
        {about && <span className={styles.about}>{about}</span>}
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

export function CheckGroup({ label, hint, error, children }: CheckGroupProps) {
  const id = useId();
  return (
    <fieldset
      className={classNames(fieldStyles.field, styles.group)}
      aria-describedby={hint && !error ? id : undefined}
    >
      <legend>{label}</legend>
      <GroupError value={error ? id : undefined}>{children}</GroupError>
      {error ? (
        <FieldError id={id} role="alert">
          {error}
        </FieldError>
      ) : (
        hint && (
          <span className={fieldStyles.hint} id={id}>
            {hint}
          </span>
        )
      )}
    </fieldset>
  );
}
