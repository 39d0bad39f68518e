import type { FieldProps } from '../lib/forms/use-contract-form.ts';
import { PASSWORD_MINIMUM, passwordStrength } from '../lib/password.ts';
import { classNames } from './class-names.ts';
import { Field, PasswordInput } from './field.tsx';
import styles from './password-fields.module.css';

type PasswordFieldProps = FieldProps<string> & {
  label: string;
  autoComplete: 'current-password' | 'new-password';
  large?: boolean;
  autoFocus?: boolean;
};

/** A field for an existing password or a repeated one. It doesn't show the password's strength. */
export function PasswordField({ label, error, large = false, onChange, ...rest }: PasswordFieldProps) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <PasswordInput {...rest} {...control} large={large} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

type NewPasswordFieldProps = Omit<PasswordFieldProps, 'label' | 'autoComplete'> & { label?: string };

/** A field for a new password. It shows the password's strength. */
export function NewPasswordField({
  label = 'Password',
  error,
  large = false,
  onChange,
  ...rest
}: NewPasswordFieldProps) {
  const { bars, word } = passwordStrength(rest.value);
  const hint = `${word && `${word}. `}At least ${PASSWORD_MINIMUM} characters.`;
  return (
    <Field label={label} error={error} hint={<span aria-live="polite">{hint}</span>}>
      {(control) => (
        <>
          <PasswordInput
            {...rest}
            {...control}
            large={large}
            autoComplete="new-password"
            onChange={(event) => onChange(event.target.value)}
          />
          <span className={classNames(styles.strength, bars < 3 && styles.weak)} aria-hidden="true">
            {[1, 2, 3, 4].map((bar) => (
              <i key={bar} className={bar <= bars ? styles.on : undefined} />
            ))}
          </span>
        </>
      )}
    </Field>
  );
}

type NewPasswordPairProps = {
  labels: { password: string; confirmation: string };
  password: FieldProps<string>;
  confirmation: FieldProps<string>;
  large?: boolean;
};

/** Fields for a new password and its confirmation. */
export function NewPasswordPair({ labels, password, confirmation, large = false }: NewPasswordPairProps) {
  return (
    <>
      <NewPasswordField {...password} label={labels.password} large={large} />
      <PasswordField {...confirmation} label={labels.confirmation} autoComplete="new-password" large={large} />
    </>
  );
}
