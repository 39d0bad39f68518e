import { useState } from 'react';
import type { FormEvent } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { newPasswordProblems } from '../../../lib/password.ts';
import { useUser } from '../../../lib/session/signed-in.ts';
import { Button } from '../../../ui/button.tsx';
import { focusFirstBad } from '../../../ui/focus-first-bad.ts';
import { Note } from '../../../ui/note.tsx';
import { NewPasswordPair, PasswordField } from '../../../ui/password-fields.tsx';
import { useChangePassword } from '../api/use-profile.ts';

const EMPTY = { current: '', password: '', confirmation: '' };
const LABELS = { password: 'New password', confirmation: 'Confirm new password' };

/** Changes the password; ends every other session. */
export function PasswordForm() {
  const user = useUser();
  const [form, setForm] = useState(EMPTY);
  const [tried, setTried] = useState(false);
  const change = useChangePassword();
  const all = { ...(form.current === '' && { current: 'Current password is required' }), ...newPasswordProblems(form) };
  const problems: { current?: string; password?: string; confirmation?: string } = tried ? all : {};
  const type = (part: Partial<typeof EMPTY>) => setForm((before) => ({ ...before, ...part }));
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(all).length > 0) return focusFirstBad(event.currentTarget);
    if (change.isPending) return;
    change.mutate(
      { currentPassword: form.current, password: form.password },
      {
        onSuccess: () => {
          setForm(EMPTY);
          setTried(false);
        },
      },
    );
  };
  return (
    <form className="sheet settings-form" onSubmit={send} noValidate>
      {/* Password managers look for whose password it is. */}
      <input type="hidden" name="username" autoComplete="username" value={user.email} />
      <PasswordField
        label="Current password"
        name="currentPassword"
        autoComplete="current-password"
        value={form.current}
        error={problems.current}
        onChange={(current) => type({ current })}
      />
      <NewPasswordPair labels={LABELS} value={form} problems={problems} onChange={type} />
      {change.isError && <Note tone="bad">{errorSentence(change.error, 'Failed to change the password')}</Note>}
      {change.isSuccess && <Note tone="ok">Your password is changed. Your other sessions are signed out.</Note>}
      <div className="acts">
        <Button type="submit" busy={change.isPending && 'Changing…'}>
          Change password
        </Button>
      </div>
    </form>
  );
}
