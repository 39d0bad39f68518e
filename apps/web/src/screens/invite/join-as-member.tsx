import { isolated } from '@stet/domain/workflows';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { joinOrganization } from '../../features/invitations/api/accept-invitation.ts';
import { errorSentence } from '../../lib/api/api-error.ts';
import { useIntent } from '../../lib/api/intent.ts';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { toast } from '../../ui/toast.ts';

/** Shown to a person who is signed in with the invited address. Joining takes one click and needs no second account. */
export function JoinAsMember({ token, visitor }: { token: string; visitor: { name: string; email: string } }) {
  const navigate = useNavigate();
  const intent = useIntent();
  const [isJoining, setJoining] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const join = async () => {
    if (isJoining) return;
    setJoining(true);
    try {
      const organization = await joinOrganization(token, intent.keyFor(token));
      intent.finish();
      toast.ok('Welcome!', `You've successfully joined ${organization}`, { forNextScreen: true });
      void navigate(paths.app, { replace: true });
    } catch (error) {
      intent.finish(error);
      toast.bad('Error', 'Failed to accept invitation');
      setFailure(errorSentence(error, 'You did not join. Please try again.'));
    }
    setJoining(false);
  };
  return (
    <>
      <p className="md two">
        You are signed in as {isolated(visitor.name)} ({visitor.email}).
      </p>
      {failure && !isJoining && <Note tone="bad">{failure}</Note>}
      <Button tone="primary" size="lg" busy={isJoining && 'Joining…'} onClick={() => void join()}>
        Accept Invitation
      </Button>
    </>
  );
}
