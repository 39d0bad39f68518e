import { ChevronDown, CircleAlert, Eye, EyeOff } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useId, useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import styles from './field.module.css';

export type ControlProps = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true };

type FieldProps = {
  label: ReactNode;
  /** Help below the control. An error replaces it. */
  hint?: ReactNode;
  error?: string | null | undefined;
  /** Shows the label only to screen readers. */
  labelHidden?: boolean;
  /** Announces an error as soon as it appears, even if the field doesn't get the focus. */
  announcesError?: boolean;
  className?: string | undefined;
  children: (control: ControlProps) => ReactNode;
};

/** A control with its label above and its help or error below, connected by ids. */
export function Field({ label, hint, error, labelHidden, announcesError, className, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const control: ControlProps = {
    id,
    ...((error || hint) && { 'aria-describedby': noteId }),
    ...(error && { 'aria-invalid': true as const }),
  };
  return (
    <div className={classNames(styles.field, className)}>
      <label htmlFor={id} className={labelHidden ? 'vh' : undefined}>
        {label}
      </label>
      {children(control)}
      {error ? (
        <FieldError id={noteId} role={announcesError ? 'alert' : undefined}>
          {error}
        </FieldError>
      ) : (
        hint && (
          <span className={styles.hint} id={noteId}>
            {hint}
          </span>
        )
      )}
    </div>
  );
}

type FieldErrorProps = {
  id?: string;
  role?: 'alert' | undefined;
  hasIcon?: boolean;
  className?: string | undefined;
  children: ReactNode;
};

/** An error about a value, below its control. */
export function FieldError({ hasIcon = true, className, children, ...rest }: FieldErrorProps) {
  return (
    <span {...rest} className={classNames(styles.error, className)}>
      {hasIcon && <Icon of={CircleAlert} size="s" />}
      {children}
    </span>
  );
}

type FieldGroupProps = {
  label: string;
  role?: 'group' | 'radiogroup';
  className?: string | undefined;
  children: ReactNode;
};

/** Several controls with a common label. */
export function FieldGroup({ label, role = 'group', className, children }: FieldGroupProps) {
  const id = useId();
  return (
    <div className={classNames(styles.field, className)} role={role} aria-labelledby={id}>
      <span className={styles.label} id={id}>
        {label}
      </span>
      {children}
    </div>
  );
}

type IconFieldProps = { icon: LucideIcon; className?: string | undefined; children: ReactNode };

/** A text input (`children`) with an icon at its start. */
export function IconField({ icon, className, children }: IconFieldProps) {
  return (
    <span className={classNames(styles.withIcon, className)}>
      <Icon of={icon} size="s" />
      {children}
    </span>
  );
}

type InputProps = Omit<ComponentProps<'input'>, 'size'> & { large?: boolean };

export function Input({ large, className, ...rest }: InputProps) {
  return <input {...rest} className={classNames(styles.input, large && styles.large, className)} />;
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={2} {...rest} className={classNames(styles.input, className)} />;
}

type TextareaFieldProps = Omit<ComponentProps<'textarea'>, 'onChange' | 'value'> &
  Pick<FieldProps, 'label' | 'hint' | 'error'> & { value: string; onChange: (value: string) => void };

/** A text area with its label, help and error. */
export function TextareaField({ label, hint, error, onChange, ...rest }: TextareaFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Textarea {...rest} {...control} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}

/** A native select styled with an arrow. */
export function Select({ large, className, children, ...rest }: ComponentProps<'select'> & { large?: boolean }) {
  return (
    <span className={classNames(styles.select, className)}>
      <select {...rest} className={large ? styles.large : undefined}>
        {children}
      </select>
      <Icon of={ChevronDown} size="s" />
    </span>
  );
}

/** A password input with a button that shows its text. */
export function PasswordInput(props: Omit<InputProps, 'type'>) {
  const [shown, setShown] = useState(false);
  return (
    <span className={styles.secret}>
      <Input {...props} type={shown ? 'text' : 'password'} />
      <IconButton
        size="sm"
        label={shown ? 'Hide password' : 'Show password'}
        aria-pressed={shown}
        icon={shown ? EyeOff : Eye}
        onClick={() => setShown(!shown)}
      />
    </span>
  );
}

type TextFieldProps = Omit<InputProps, 'onChange' | 'value'> &
  Pick<FieldProps, 'label' | 'hint' | 'error' | 'labelHidden'> & { value: string; onChange: (value: string) => void };

/** A text input with its label, help and error. */
export function TextField({ label, hint, error, labelHidden, onChange, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} {...(labelHidden && { labelHidden })}>
      {(control) => <Input {...rest} {...control} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}
