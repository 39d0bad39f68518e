import { Field, PasswordInput } from '../../../ui/field.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { PASSWORD_MINIMUM, passwordStrength } from '../model/password-strength.ts';
import './strength-meter.css';

type NewPasswordFieldProps = { value: string; error?: string | undefined; onChange: (value: string) => void };

/** A password to be, with a hint of its strength. */
export function NewPasswordField({ value, error, onChange }: NewPasswordFieldProps) {
  const { bars, word } = passwordStrength(value);
  const hint = `${word && `${word}. `}At least ${PASSWORD_MINIMUM} characters.`;
  return (
    <Field label="Password" error={error} hint={<span aria-live="polite">{hint}</span>}>
      {(control) => (
        <>
          <PasswordInput
            {...control}
            large
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
