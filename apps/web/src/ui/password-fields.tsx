import { PASSWORD_MINIMUM, passwordStrength } from '../lib/password.ts';
import type { NewPassword, NewPasswordProblems } from '../lib/password.ts';
import { classNames } from './class-names.ts';
import { Field, PasswordInput } from './field.tsx';
import './strength-meter.css';

type PasswordFieldProps = {
  label: string;
  name: string;
  autoComplete: 'current-password' | 'new-password';
  value: string;
  error?: string | undefined;
  large?: boolean;
  onChange: (value: string) => void;
};

/** A password that one has. */
export function PasswordField({ label, error, large = false, onChange, ...rest }: PasswordFieldProps) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <PasswordInput {...rest} {...control} large={large} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

type NewPasswordFieldProps = Pick<PasswordFieldProps, 'value' | 'error' | 'large' | 'onChange'> & { label?: string };

/** A password to be, with a hint of its strength. */
export function NewPasswordField({ label = 'Password', value, error, large = false, onChange }: NewPasswordFieldProps) {
  const { bars, word } = passwordStrength(value);
  const hint = `${word && `${word}. `}At least ${PASSWORD_MINIMUM} characters.`;
  return (
    <Field label={label} error={error} hint={<span aria-live="polite">{hint}</span>}>
      {(control) => (
        <>
          <PasswordInput
            {...control}
            large={large}
            name="password"
            autoComplete="new-password"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <span className={classNames('strength', bars < 3 && 'weak')} aria-hidden="true">
            {[1, 2, 3, 4].map((bar) => (
              <i key={bar} className={bar <= bars ? 'on' : undefined} />
            ))}
          </span>
        </>
      )}
    </Field>
  );
}

type NewPasswordPairProps = {
  labels: { password: string; confirmation: string };
  value: NewPassword;
  problems: NewPasswordProblems;
  large?: boolean;
  onChange: (part: Partial<NewPassword>) => void;
};

/** A password to be, and the same once more. */
export function NewPasswordPair({ labels, value, problems, large = false, onChange }: NewPasswordPairProps) {
  return (
    <>
      <NewPasswordField
        label={labels.password}
        large={large}
        value={value.password}
        error={problems.password}
        onChange={(password) => onChange({ password })}
      />
      <PasswordField
        label={labels.confirmation}
        name="confirmation"
        autoComplete="new-password"
        large={large}
        value={value.confirmation}
        error={problems.confirmation}
        onChange={(confirmation) => onChange({ confirmation })}
      />
    </>
  );
}
