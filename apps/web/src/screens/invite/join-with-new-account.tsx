import type { Invitation } from '@stet/contract';
import { Link, useNavigate } from 'react-router';
import { acceptInvitation } from '../../features/invitations/api/accept-invitation.ts';
import type { Acceptance } from '../../features/invitations/model/acceptance.ts';
import { useSignInProvider } from '../../features/accounts/api/use-sign-in-provider.ts';
import { ProviderButton } from '../../features/accounts/parts/provider-button.tsx';
import { AcceptanceForm } from '../../features/invitations/parts/acceptance-form.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { useIntent } from '../../lib/api/intent.ts';
import { paths } from '../../lib/paths.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { Note } from '../../ui/note.tsx';
import { toast } from '../../ui/toast.ts';

/** For whoever has no account yet: makes one, then the login takes over with the address filled in. */
export function JoinWithNewAccount({ token, invitation }: { token: string; invitation: Invitation }) {
  const navigate = useNavigate();
  const intent = useIntent();
  const provider = useSignInProvider();
  const { email } = invitation;
  const { submission, submit } = useSubmit(async ({ name, password }: Acceptance) => {
    const body = { name: name.trim(), password };
    try {
      const organization = await acceptInvitation(token, body, intent.keyFor(body));
      intent.settle();
      toast.clear();
      toast.ok('Welcome!', `You've successfully joined ${organization}`);
      void navigate(paths.login, {
        replace: true,
        state: { message: 'Account created successfully! Please log in.', email },
      });
    } catch (error) {
      intent.settle(error);
      toast.clear();
      toast.bad('Error', 'Failed to accept invitation');
      throw error;
    }
  });
  return (
    <>
      <AcceptanceForm
        email={email}
        busy={submission.state === 'busy'}
        note={
          submission.state === 'failed' && (
            <Note tone="bad">{errorSentence(submission.error, 'Nothing was created. Please try again.')}</Note>
          )
        }
        onSubmit={submit}
      />
      <p className="other">
        <Link to={paths.login} state={{ from: paths.invite(token), email }} className="med">
          Already have an account? Sign in
        </Link>
      </p>
      <ProviderButton label={provider} from={paths.invite(token)} />
    </>
  );
}
