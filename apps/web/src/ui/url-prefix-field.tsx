import { Check } from 'lucide-react';
import type { PrefixAvailability } from '../lib/use-prefix-availability.ts';
import { TextField } from './field.tsx';
import { Icon } from './icon.tsx';
import './url-prefix-field.css';

type UrlPrefixFieldProps = {
  value: string;
  availability: PrefixAvailability;
  /** Something else is wrong with it, said elsewhere. */
  invalid?: boolean;
  large?: boolean;
  onChange: (text: string) => void;
};

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

/** An organization's URL prefix, and whether it is free; a screen reader hears that once it is known. */
export function UrlPrefixField({ value, availability, invalid = false, large = false, onChange }: UrlPrefixFieldProps) {
  const answer = words(value, availability);
  return (
    <div>
      <TextField
        label="Organization URL prefix"
        large={large}
        name="organizationSlug"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        error={availability === 'taken' ? answer : null}
        aria-invalid={invalid || undefined}
        hint={
          <>
            {availability === 'free' ? (
              <span className="prefix-free trunc" title={answer}>
                <Icon of={Check} size="s" /> {answer}
              </span>
            ) : (
              <span>{availability === 'checking' ? 'Checking…' : 'Lowercase letters, digits, hyphens'}</span>
            )}
            <span className="nowrap">{value.length} / 30</span>
          </>
        }
        onChange={onChange}
      />
      <span className="vh" role="status">
        {answer}
      </span>
    </div>
  );
}
