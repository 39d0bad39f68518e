import { PublicPage } from '../../features/accounts/parts/public-page.tsx';
import { paths } from '../../lib/paths.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import './invite-screen.css';

// One sentence to a screen reader and to whoever searches the page; to the eye a title with its explanation.
const NOT_FOUND = 'Invitation Not Found: This invitation link may have expired or been revoked.';
const [TITLE = '', REASON = ''] = NOT_FOUND.split(': ');

type BrokenInvitationProps = { retry: () => void } & ({ state: 'missing' } | { state: 'failed'; sentence: string });

/** What stands in the place of an invitation that isn't there, or that can't be had now. */
export function BrokenInvitation(props: BrokenInvitationProps) {
  if (props.state === 'missing') {
    return (
      <PublicPage
        title={TITLE}
        narrow
        heading={
          <>
            {TITLE}
            <span className="vh">: </span>
            <span className="invitation-reason">{REASON}</span>
          </>
        }
      >
        <p className="md two">Ask the person who invited you for a new link.</p>
        <div className="invitation-ways">
          <ButtonLink to={paths.login} tone="primary" size="lg">
            Go to Login
          </ButtonLink>
        </div>
      </PublicPage>
    );
  }
  return (
    <PublicPage title="Invalid Invitation" narrow>
      <Note tone="bad">{props.sentence}</Note>
      <div className="invitation-ways">
        <ButtonLink to={paths.login} tone="primary" size="lg">
          Go to Login
        </ButtonLink>
        <Button size="lg" onClick={props.retry}>
          Try again
        </Button>
      </div>
    </PublicPage>
  );
}
