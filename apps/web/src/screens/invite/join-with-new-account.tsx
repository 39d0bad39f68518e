import type { Invitation } from '@stet/contract';
import { Link, useNavigate } from 'react-router';
import { acceptInvitation } from '../../features/invitations/api/accept-invitation.ts';
import type { Acceptance } from '../../features/invitations/api/accept-invitation.ts';
import { useSignInOptions } from '../../features/accounts/api/use-sign-in-options.ts';
import { ProviderButton } from '../../features/accounts/components/provider-button.tsx';
import { AcceptanceForm } from '../../features/invitations/components/acceptance-form.tsx';
import { useIntent } from '../../lib/api/intent.ts';
import { paths } from '../../lib/paths.ts';
import { LoadingLine } from '../../ui/spinner.tsx';
import { toast } from '../../ui/toast.ts';
import styles from '../../features/accounts/components/public-page.module.css';

/**
 * For visitors who aren't signed in: creates an account and then opens the login with the address prefilled, or leads
 * to the login or the identity provider.
 */
export function JoinWithNewAccount({ token, invitation }: { token: string; invitation: Invitation }) {
  const navigate = useNavigate();
  const intent = useIntent();
  const { label: provider, passwords, isKnown } = useSignInOptions();
  const { email } = invitation;
  const send = async (body: Acceptance) => {
    try {
      const organization = await acceptInvitation(token, body, intent.keyFor(body));
      intent.finish();
      toast.ok('Welcome!', `You've successfully joined ${organization}`, { forNextScreen: true });
      void navigate(paths.login, {
        replace: true,
        state: { message: 'Account created successfully! Please log in.', email },
      });
    } catch (error) {
      intent.finish(error);
      toast.bad('Error', 'Failed to accept invitation');
      throw error;
    }
  };
  if (!isKnown) return <LoadingLine>Loading…</LoadingLine>;
  if (!passwords)
    return (
      <>
        <p className={styles.other}>
          Sign in with {provider} as <span className={styles.address}>{email}</span> to join.
        </p>
        <ProviderButton label={provider} from={paths.invite(token)} alone />
      </>
    );
  return (
    <>
      <AcceptanceForm email={email} onSend={send} />
      <p className={styles.other}>
        <Link to={paths.login} state={{ from: paths.invite(token), email }} className="med">
          Already have an account? Sign in
        </Link>
      </p>
      <ProviderButton label={provider} from={paths.invite(token)} />
    </>
  );
}
