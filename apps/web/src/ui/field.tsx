import { ChevronDown, CircleAlert, Eye, EyeOff } from 'lucide-react';
import { useId, useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import './field.css';

export type ControlProps = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true };

type FieldProps = {
  label: ReactNode;
  /** Help below the control. An error replaces it. */
  hint?: ReactNode;
  error?: string | null | undefined;
  /** Shows the label only to screen readers. */
  labelHidden?: boolean;
  children: (control: ControlProps) => ReactNode;
};

/** A control with its label above and its help or error below, connected by ids. */
export function Field({ label, hint, error, labelHidden, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const control: ControlProps = {
    id,
    ...((error || hint) && { 'aria-describedby': noteId }),
    ...(error && { 'aria-invalid': true as const }),
  };
  return (
    <div className="field">
      <label htmlFor={id} className={labelHidden ? 'vh' : undefined}>
        {label}
      </label>
      {children(control)}
      {error ? (
        <span className="err" id={noteId}>
          <Icon of={CircleAlert} size="s" />
          {error}
        </span>
      ) : (
        hint && (
          <span className="hint" id={noteId}>
            {hint}
          </span>
        )
      )}
    </div>
  );
}

type InputProps = Omit<ComponentProps<'input'>, 'size'> & { large?: boolean };

export function Input({ large, className, ...rest }: InputProps) {
  return <input {...rest} className={classNames('input', large && 'lg', className)} />;
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={2} {...rest} className={classNames('input', className)} />;
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
    <span className={classNames('select', className)}>
      <select {...rest} className={large ? 'lg' : undefined}>
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
    <span className="secret">
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
