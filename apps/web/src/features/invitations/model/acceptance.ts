import { newPasswordProblems } from '../../../lib/password.ts';
import type { NewPassword, NewPasswordProblems } from '../../../lib/password.ts';

/** What someone fills in who is invited and has no account. */
export type Acceptance = NewPassword & { name: string };
export const EMPTY_ACCEPTANCE: Acceptance = { name: '', password: '', confirmation: '' };

/** What keeps the form from being sent (specification, section 5); empty when nothing does. */
export function acceptanceProblems(form: Acceptance): NewPasswordProblems & { name?: string } {
  return { ...(form.name.trim() === '' && { name: 'Full name is required' }), ...newPasswordProblems(form) };
}
