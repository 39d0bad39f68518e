import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { typePrefix } from '../../../lib/url-prefix.ts';
import { usePrefixAvailability } from '../../../lib/use-prefix-availability.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Note } from '../../../ui/note.tsx';
import { NewPasswordField } from '../../../ui/password-fields.tsx';
import { UrlPrefixField } from '../../../ui/url-prefix-field.tsx';
import { signupSchema } from '../api/sign-up.ts';
import type { SignupBody } from '../api/sign-up.ts';
import { EMPTY_SIGNUP, signupBody, slugOf } from '../model/signup-fields.ts';
import { AccountTypeChoice, RoleChoice } from './choice-cards.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './signup-form.module.css';
import publicPageStyles from './public-page.module.css';

type SignupFormProps = {
  /** The domains whose addresses may sign up. Empty if every address may. */
  domains: readonly string[];
  onSend: (body: SignupBody) => Promise<void>;
};

/** The sign-up form (specification, sections 2 and 5). */
export function SignupForm({ domains, onSend }: SignupFormProps) {
  const form = useContractForm({
    schema: signupSchema,
    initial: EMPTY_SIGNUP,
    body: signupBody,
    places: { email_taken: 'email', slug_taken: 'organizationSlug' },
    failed: 'An error occurred',
    send: onSend,
  });
  const { values, change, field } = form;
  const isTeam = values.accountType === 'organization';
  const slug = slugOf(values);
  const availability = usePrefixAvailability(isTeam ? slug : '');
  return (
    <form className={styles.signup} onSubmit={form.submit} noValidate>
      <div className={styles.full}>
        <AccountTypeChoice value={values.accountType} onChange={(accountType) => change({ accountType })} />
      </div>
      {isTeam && (
        <>
          <TextField
            {...field('organizationName')}
            label="Organization Name"
            large
            autoComplete="organization"
            maxLength={120}
          />
          <UrlPrefixField
            {...field('organizationSlug')}
            value={slug}
            large
            availability={availability}
            onChange={(text) => change({ organizationSlug: typePrefix(text) })}
          />
        </>
      )}
      <TextField
        {...field('email')}
        label="Email"
        large
        type="email"
        autoComplete="email"
        {...(domains.length > 0 && {
          hint: `Only addresses at ${domains.join(', ')} can sign up here. If yours is different, ask an owner or admin for an invitation.`,
        })}
      />
      <TextField {...field('name')} label="Full Name" large autoComplete="name" maxLength={120} />
      {isTeam && (
        <div className={styles.full}>
          <RoleChoice value={values.role} onChange={(role) => change({ role })} />
        </div>
      )}
      <div className={styles.full}>
        <NewPasswordField {...field('password')} large />
      </div>
      <div className={classNames(styles.full, publicPageStyles.sub)}>
        {form.problem && <Note tone="bad">{form.problem}</Note>}
        <Button type="submit" tone="primary" size="lg" busy={form.isSending && 'Creating Account…'}>
          {isTeam ? 'Create Organization Account' : 'Create Personal Account'}
        </Button>
      </div>
    </form>
  );
}
