import { PASSWORD_MINIMUM } from '@stet/domain/defaults';

export { PASSWORD_MINIMUM };

type Strength = { bars: 0 | 1 | 2 | 3 | 4; word: '' | 'Too short' | 'Weak' | 'Fair' | 'Good' | 'Strong' };

const KINDS = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/];

/**
 * Estimates a password's strength; length counts more than variety. This is only a hint: the server requires a minimum
 * length, which can be higher in an organization than the one used here, and refuses common passwords.
 */
export function passwordStrength(password: string): Strength {
  if (password === '') return { bars: 0, word: '' };
  if (password.length < PASSWORD_MINIMUM) return { bars: 1, word: 'Too short' };
  const kinds = KINDS.filter((kind) => kind.test(password)).length;
  const distinct = new Set(password).size;
  if (distinct < 4) return { bars: 1, word: 'Weak' };
  const score = password.length + 2 * kinds;
  if (score >= 24) return { bars: 4, word: 'Strong' };
  if (score >= 18) return { bars: 3, word: 'Good' };
  return score >= 12 ? { bars: 2, word: 'Fair' } : { bars: 1, word: 'Weak' };
}

type NewPassword = { password: string; confirmation: string };

/** The contract can't check the repeated password, because it isn't sent (specification, section 5). */
export const repeatedPassword = ({ password, confirmation }: NewPassword): { confirmation?: string } =>
  password === confirmation ? {} : { confirmation: 'Passwords do not match' };
