import type { BodyInput, User } from '@stet/contract';
import { PASSWORD_MINIMUM, PASSWORD_TOO_SHORT } from '@stet/domain/defaults';
import { prefixText } from '../../../lib/url-prefix.ts';
import type { UrlPrefix } from '../../../lib/url-prefix.ts';

export type AccountType = 'personal' | 'organization';

export type SignupForm = {
  accountType: AccountType;
  organizationName: string;
  slug: UrlPrefix;
  email: string;
  name: string;
  role: User['role'];
  password: string;
};

export const EMPTY_SIGNUP: SignupForm = {
  accountType: 'personal',
  organizationName: '',
  slug: { from: 'derived' },
  email: '',
  name: '',
  role: 'editor',
  password: '',
};

/** The URL prefix as it stands in its field. */
export const slugOf = ({ slug, organizationName }: SignupForm): string => prefixText(slug, organizationName);

export type SignupProblems = { organization?: string; email?: string; name?: string; password?: string };

/** What keeps the form from being sent (specification, section 5); empty when nothing does. */
export function signupProblems(form: SignupForm): SignupProblems {
  const lacksOrganization = form.accountType === 'organization' && (!form.organizationName.trim() || !slugOf(form));
  return {
    ...(lacksOrganization && { organization: 'Organization name and URL are required for organization accounts' }),
    ...(!form.email.trim() && { email: 'Email is required' }),
    ...(!form.name.trim() && { name: 'Full name is required' }),
    ...(form.password.length < PASSWORD_MINIMUM && {
      password: PASSWORD_TOO_SHORT,
    }),
  };
}

/** What is sent: personal accounts are always editors and have no organization fields. */
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
