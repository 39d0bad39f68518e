import { isolated } from '@stet/domain/workflows';
import type { User } from '@stet/contract';
import { useState } from 'react';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Select, TextField } from '../../../ui/field.tsx';
import { Note } from '../../../ui/note.tsx';
import { logIn, loginSchema, signUp, signupSchema } from '../api/legacy-calls.ts';
import { useRefetch } from '../api/use-legacy.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './legacy.module.css';

const ROLES = ['editor', 'reviewer', 'viewer'] as const;
const EMPTY: { email: string; name: string; role: (typeof ROLES)[number]; password: string } = {
  email: '',
  name: '',
  role: 'editor',
  password: '',
};

/** Logs a person in or signs them up, and replaces the current session (specification, section 2, legacy home page). */
export function AuthBox({ user }: { user: User }) {
  const [act, setAct] = useState<'logIn' | 'signUp'>('logIn');
  const refetch = useRefetch();
  const options = { initial: EMPTY, failed: 'Couldn’t log in or sign up. Try again.' };
  const login = useContractForm({
    ...options,
    schema: loginSchema,
    body: ({ email, password }) => ({ email: email.trim(), password }),
    send: (body) => logIn(body).finally(refetch),
  });
  const signup = useContractForm({
    ...options,
    schema: signupSchema,
    body: ({ email, name, role, password }) => ({ email: email.trim(), name: name.trim(), role, password }),
    send: (body) => signUp(body).finally(refetch),
  });
  // Logging in and signing up share the fields, which show the errors of the last attempt.
  const form = act === 'logIn' ? login : signup;
  const set = (change: Partial<typeof EMPTY>) => {
    login.change(change);
    signup.change(change);
  };
  const field = <Name extends keyof typeof EMPTY>(name: Name) => ({
    ...form.field(name),
    onChange: (value: (typeof EMPTY)[Name]) => set({ [name]: value }),
  });
  const { error: roleError, value: role } = field('role');
  const isPending = login.isSending || signup.isSending;
  return (
    <section className={classNames('sheet', styles.legacyBox)} aria-labelledby="legacy-auth">
      <h2 className="title-sm" id="legacy-auth">
        Account
      </h2>
      <p className="two">
        Signed in as {isolated(user.name)} ({user.orgRole ?? user.role})
      </p>
      <form
        className={styles.legacyForm}
        noValidate
        onSubmit={(event) => {
          setAct('logIn');
          login.submit(event);
        }}
      >
        <TextField label="Email" type="email" autoComplete="username" {...field('email')} />
        <TextField label="Name" autoComplete="name" {...field('name')} />
        <Field label="Role" error={roleError}>
          {(control) => (
            <Select
              {...control}
              value={role}
              onChange={(event) => set({ role: ROLES.find((role) => role === event.target.value) ?? 'editor' })}
            >
              {ROLES.map((role) => (
                <option key={role} value={role}>
                  {role}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <TextField label="Password" type="password" autoComplete="current-password" {...field('password')} />
        <span className="row">
          <Button
            aria-busy={isPending || undefined}
            onClick={({ currentTarget }) => {
              setAct('signUp');
              if (currentTarget.form) signup.submitFrom(currentTarget.form);
            }}
          >
            Sign up
          </Button>
          <Button type="submit" aria-busy={isPending || undefined}>
            Log in
          </Button>
        </span>
      </form>
      {form.problem && <Note tone="bad">{form.problem}</Note>}
    </section>
  );
}
