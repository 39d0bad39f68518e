import { isolated } from '@stet/domain/workflows';
import type { User } from '@stet/contract';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Field, Select, TextField } from '../../../ui/field.tsx';
import { Note } from '../../../ui/note.tsx';
import { logIn, signUp } from '../api/legacy-calls.ts';
import { useLegacyAction } from '../api/use-legacy.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './legacy.module.css';

const ROLES = ['editor', 'reviewer', 'viewer'] as const;

/** Signs a person in or up, which replaces the current session (specification, section 2, legacy home page). */
export function AuthBox({ user }: { user: User }) {
  const [form, setForm] = useState({ email: '', name: '', role: 'editor' as User['role'], password: '' });
  const { act, isPending, problem } = useLegacyAction();
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change });
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
          event.preventDefault();
          act(() => logIn(form));
        }}
      >
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          value={form.email}
          onChange={(email) => set({ email })}
        />
        <TextField label="Name" autoComplete="name" value={form.name} onChange={(name) => set({ name })} />
        <Field label="Role">
          {(control) => (
            <Select
              {...control}
              value={form.role}
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
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          value={form.password}
          onChange={(password) => set({ password })}
        />
        <span className="row">
          <Button aria-busy={isPending || undefined} onClick={() => act(() => signUp(form))}>
            Sign up
          </Button>
          <Button type="submit" aria-busy={isPending || undefined}>
            Log in
          </Button>
        </span>
      </form>
      {problem && <Note tone="bad">{problem}</Note>}
    </section>
  );
}
