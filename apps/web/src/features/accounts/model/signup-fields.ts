import type { BodyInput, User } from '@stet/contract';
import { prefixText } from '../../../lib/url-prefix.ts';
import type { UrlPrefix } from '../../../lib/url-prefix.ts';

export type AccountType = 'personal' | 'organization';

export type SignupForm = {
  accountType: AccountType;
  organizationName: string;
  organizationSlug: UrlPrefix;
  email: string;
  name: string;
  role: User['role'];
  password: string;
};

export const EMPTY_SIGNUP: SignupForm = {
  accountType: 'personal',
  organizationName: '',
  organizationSlug: { from: 'derived' },
  email: '',
  name: '',
  role: 'editor',
  password: '',
};

/** The URL prefix shown in the form. */
export const slugOf = ({ organizationSlug, organizationName }: SignupForm): string =>
  prefixText(organizationSlug, organizationName);

/** Builds the request body. Personal accounts are always editors and have no organization fields. */
export function signupBody(form: SignupForm): BodyInput<'POST /api/auth/signup'> {
  const person = { email: form.email.trim(), name: form.name.trim(), password: form.password };
  return form.accountType === 'personal'
    ? { ...person, accountType: 'personal', role: 'editor' }
    : {
        ...person,
        accountType: 'organization',
        role: form.role,
        organizationName: form.organizationName.trim(),
        organizationSlug: slugOf(form),
      };
}
