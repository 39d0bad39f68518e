import { PASSWORD_MINIMUM, PASSWORD_TOO_SHORT } from '@stet/domain/defaults';

export { PASSWORD_MINIMUM };

type Strength = { bars: 0 | 1 | 2 | 3 | 4; word: '' | 'Too short' | 'Weak' | 'Fair' | 'Good' | 'Strong' };

const KINDS = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/];

/** A hint only: nothing above the minimum is forced (rulings, section 2). Length counts more than variety. */
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

/** A password to be, typed twice. */
export type NewPassword = { password: string; confirmation: string };
export type NewPasswordProblems = { password?: string; confirmation?: string };

/** What keeps a new password from being sent, in the sentences of the specification (section 5). */
export function newPasswordProblems({ password, confirmation }: NewPassword): NewPasswordProblems {
  return {
    ...(password.length < PASSWORD_MINIMUM && {
      password: PASSWORD_TOO_SHORT,
    }),
    ...(password !== confirmation && { confirmation: 'Passwords do not match' }),
  };
}
