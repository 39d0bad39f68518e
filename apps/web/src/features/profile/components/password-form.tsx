import { useState } from 'react';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { repeatedPassword } from '../../../lib/password.ts';
import { useUser } from '../../../lib/session/signed-in.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckRow } from '../../../ui/check-row.tsx';
import { Note } from '../../../ui/note.tsx';
import { NewPasswordPair, PasswordField } from '../../../ui/password-fields.tsx';
import { passwordSchema, useChangePassword } from '../api/use-profile.ts';

const EMPTY = { currentPassword: '', password: '', confirmation: '', endTokens: false };
const LABELS = { password: 'New password', confirmation: 'Confirm new password' };

/** Changes the password. This ends all other sessions and, if chosen, revokes the user's personal API tokens. */
export function PasswordForm() {
  const user = useUser();
  const change = useChangePassword();
  const [done, setDone] = useState<{ endTokens: boolean } | null>(null);
  const form = useContractForm({
    schema: passwordSchema,
    initial: EMPTY,
    body: ({ currentPassword, password, endTokens }) => ({ currentPassword, password, endTokens }),
    rules: (values) => ({
      ...(values.currentPassword === '' && { currentPassword: 'Current password is required' }),
      ...repeatedPassword(values),
    }),
    places: { wrong_password: 'currentPassword' },
    failed: 'Failed to change the password',
    send: async (body, { endTokens }) => {
      setDone(null);
      await change.mutateAsync(body);
      form.reset();
      setDone({ endTokens });
    },
  });
  return (
    <form className="sheet settings-form" onSubmit={form.submit} noValidate>
      {/* Password managers need the account's address. */}
      <input type="hidden" name="username" autoComplete="username" value={user.email} />
      <PasswordField {...form.field('currentPassword')} label="Current password" autoComplete="current-password" />
      <NewPasswordPair labels={LABELS} password={form.field('password')} confirmation={form.field('confirmation')} />
      <CheckRow
        checked={form.values.endTokens}
        about="Programs that use them lose access immediately, in every organization."
        onChange={(endTokens) => form.change({ endTokens })}
      >
        Also revoke my personal API tokens
      </CheckRow>
      {form.problem && <Note tone="bad">{form.problem}</Note>}
      {done && (
        <Note tone="ok">
          Your password was changed. Your other sessions were signed out
          {done.endTokens ? ', and your personal API tokens were revoked.' : '.'}
        </Note>
      )}
      <div className="actions">
        <Button type="submit" busy={form.isSending && 'Changing…'}>
          Change password
        </Button>
      </div>
    </form>
  );
}
