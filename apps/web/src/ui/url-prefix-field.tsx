import { Check } from 'lucide-react';
import type { FieldProps } from '../lib/forms/use-contract-form.ts';
import type { PrefixAvailability } from '../lib/use-prefix-availability.ts';
import { classNames } from './class-names.ts';
import { TextField } from './field.tsx';
import { Icon } from './icon.tsx';
import styles from './url-prefix-field.module.css';

type UrlPrefixFieldProps = FieldProps<string> & { availability: PrefixAvailability; large?: boolean };

const words = (value: string, availability: PrefixAvailability): string => {
  switch (availability) {
    case 'free':
      return `${value} is free`;
    case 'taken':
      return `${value} is taken. Choose another one.`;
    case 'checking':
    case 'unknown':
      return '';
  }
};

/** A field for an organization's URL prefix. It announces to screen readers whether the prefix is free. */
export function UrlPrefixField({ availability, large = false, error, ...field }: UrlPrefixFieldProps) {
  const { value } = field;
  const answer = words(value, availability);
  return (
    <div>
      <TextField
        {...field}
        label="Organization URL prefix"
        large={large}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={error ?? (availability === 'taken' ? answer : null)}
        hint={
          <>
            {availability === 'free' ? (
              <span className={classNames('trunc', styles.prefixFree)} title={answer}>
                <Icon of={Check} size="s" /> {answer}
              </span>
            ) : (
              <span>{availability === 'checking' ? 'Checking…' : 'Lowercase letters, digits, hyphens'}</span>
            )}
            <span className="nowrap">{value.length} / 30</span>
          </>
        }
      />
      <span className="vh" role="status">
        {answer}
      </span>
    </div>
  );
}
