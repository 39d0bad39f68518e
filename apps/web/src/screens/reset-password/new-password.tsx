import { Link, useNavigate } from 'react-router';
import { resetPassword, resetSchema } from '../../features/accounts/api/reset-password.ts';
import { PublicPage } from '../../features/accounts/components/public-page.tsx';
import { isStatus } from '../../lib/api/api-error.ts';
import { useContractForm } from '../../lib/forms/use-contract-form.ts';
import { repeatedPassword } from '../../lib/password.ts';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { NewPasswordPair } from '../../ui/password-fields.tsx';
import styles from '../../features/accounts/components/public-page.module.css';

const LABELS = { password: 'New password', confirmation: 'Confirm new password' };

export function NewPassword({ token }: { token: string }) {
  const navigate = useNavigate();
  const form = useContractForm({
    schema: resetSchema,
    initial: { password: '', confirmation: '' },
    body: ({ password }) => ({ token, password }),
    rules: repeatedPassword,
    failed: 'An error occurred',
    send: async ({ password }) => {
      const message = await resetPassword(token, password);
      void navigate(paths.login, { replace: true, state: { message } });
    },
  });
  return (
    <PublicPage
      title="Reset password"
      lede={
        <>
          Remembered it?{' '}
          <Link to={paths.login} className="med">
            Log in
          </Link>
        </>
      }
    >
      <form onSubmit={form.submit} noValidate>
        <NewPasswordPair
          labels={LABELS}
          large
          password={form.field('password')}
          confirmation={form.field('confirmation')}
        />
        <div className={styles.sub}>
          {form.problem && (
            <Note tone="bad">
              {form.problem}
              {isStatus(form.error, 404) && (
                <>
                  {' '}
                  <Link to={paths.resetPassword}>Request a new link</Link>
                </>
              )}
            </Note>
          )}
          <Button type="submit" tone="primary" size="lg" busy={form.isSending && 'Saving…'}>
            Set new password
          </Button>
        </div>
      </form>
    </PublicPage>
  );
}
