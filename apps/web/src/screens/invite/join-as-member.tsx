import { isolated } from '@stet/domain/workflows';
import { useNavigate } from 'react-router';
import { joinOrganization } from '../../features/invitations/api/accept-invitation.ts';
import { errorSentence } from '../../lib/api/api-error.ts';
import { useIntent } from '../../lib/api/intent.ts';
import { paths } from '../../lib/paths.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { toast } from '../../ui/toast.ts';
import './invite-screen.css';

/** For whoever is signed in under the invited address: one click, no second account. */
export function JoinAsMember({ token, visitor }: { token: string; visitor: { name: string; email: string } }) {
  const navigate = useNavigate();
  const intent = useIntent();
  const { submission, submit } = useSubmit(async (invitation: string) => {
    try {
      const organization = await joinOrganization(invitation, intent.keyFor(invitation));
      intent.settle();
      toast.clear();
      toast.ok('Welcome!', `You've successfully joined ${organization}`);
      void navigate(paths.app, { replace: true });
    } catch (error) {
      intent.settle(error);
      toast.clear();
      toast.bad('Error', 'Failed to accept invitation');
      throw error;
    }
  });
  return (
    <>
      <p className="md two">
        You are signed in as {isolated(visitor.name)} ({visitor.email}).
      </p>
      {submission.state === 'failed' && (
        <Note tone="bad">{errorSentence(submission.error, 'You did not join. Please try again.')}</Note>
      )}
      <Button tone="primary" size="lg" busy={submission.state === 'busy' && 'Joining…'} onClick={() => submit(token)}>
        Accept Invitation
      </Button>
    </>
  );
}
