import { useState } from 'react';
import type { FormEvent } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { typePrefix } from '../../../lib/url-prefix.ts';
import { usePrefixAvailability } from '../../../lib/use-prefix-availability.ts';
import type { Submission } from '../../../lib/use-submit.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { focusFirstBad } from '../../../ui/focus-first-bad.ts';
import { Note } from '../../../ui/note.tsx';
import { NewPasswordField } from '../../../ui/password-fields.tsx';
import { UrlPrefixField } from '../../../ui/url-prefix-field.tsx';
import { EMPTY_SIGNUP, signupProblems, slugOf } from '../model/signup-form.ts';
import type { SignupForm as Form, SignupProblems } from '../model/signup-form.ts';
import { AccountTypeChoice, RoleChoice } from './choice-cards.tsx';
import './signup-form.css';

type SignupFormProps = { submission: Submission; onSubmit: (form: Form) => void };

/** The sign-up form (specification, sections 2 and 5). Problems show once the person tried to send it. */
export function SignupForm({ submission, onSubmit }: SignupFormProps) {
  const [form, setForm] = useState(EMPTY_SIGNUP);
  const [tried, setTried] = useState(false);
  const change = (part: Partial<Form>) => setForm((before) => ({ ...before, ...part }));
  const problems: SignupProblems = tried ? signupProblems(form) : {};
  const isTeam = form.accountType === 'organization';
  const slug = slugOf(form);
  const availability = usePrefixAvailability(isTeam ? slug : '');

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(signupProblems(form)).length === 0) onSubmit(form);
    else focusFirstBad(event.currentTarget);
  };

  return (
    <form className="signup" onSubmit={send} noValidate>
      <div className="full">
        <AccountTypeChoice value={form.accountType} onChange={(accountType) => change({ accountType })} />
      </div>
      {isTeam && (
        <>
          <TextField
            label="Organization Name"
            large
            name="organizationName"
            autoComplete="organization"
            maxLength={120}
            value={form.organizationName}
            aria-invalid={Boolean(problems.organization && !form.organizationName.trim()) || undefined}
            onChange={(organizationName) => change({ organizationName })}
          />
          <UrlPrefixField
            large
            value={slug}
            availability={availability}
            invalid={Boolean(problems.organization && !slug)}
            onChange={(text) => change({ slug: typePrefix(text) })}
          />
        </>
      )}
      <TextField
        label="Email"
        large
        name="email"
        type="email"
        autoComplete="email"
        value={form.email}
        error={problems.email}
        onChange={(email) => change({ email })}
      />
      <TextField
        label="Full Name"
        large
        name="name"
        autoComplete="name"
        maxLength={120}
        value={form.name}
        error={problems.name}
        onChange={(name) => change({ name })}
      />
      {isTeam && (
        <div className="full">
          <RoleChoice value={form.role} onChange={(role) => change({ role })} />
        </div>
      )}
      <div className="full">
        <NewPasswordField
          large
          value={form.password}
          error={problems.password}
          onChange={(password) => change({ password })}
        />
      </div>
      <div className="full sub">
        {problems.organization && <Note tone="bad">{problems.organization}</Note>}
        {submission.state === 'failed' && (
          <Note tone="bad">{errorSentence(submission.error, 'An error occurred')}</Note>
        )}
        <Button type="submit" tone="primary" size="lg" busy={submission.state === 'busy' && 'Creating Account…'}>
          {isTeam ? 'Create Organization Account' : 'Create Personal Account'}
        </Button>
      </div>
    </form>
  );
}
