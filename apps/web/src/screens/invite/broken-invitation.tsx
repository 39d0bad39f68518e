import { PublicPage } from '../../features/accounts/components/public-page.tsx';
import { paths } from '../../lib/paths.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import styles from './invite-screen.module.css';

// The message is one sentence for screen readers and text search, and is shown as a title with its explanation.
const NOT_FOUND = 'Invitation Not Found: This invitation link may have expired or been revoked.';
const [TITLE = '', REASON = ''] = NOT_FOUND.split(': ');

type BrokenInvitationProps = { retry: () => void } & ({ state: 'missing' } | { state: 'failed'; sentence: string });

/** Shown if an invitation doesn't exist or couldn't be loaded. */
export function BrokenInvitation(props: BrokenInvitationProps) {
  if (props.state === 'missing') {
    return (
      <PublicPage
        title={TITLE}
        heading={
          <>
            {TITLE}
            <span className="vh">: </span>
            <span className={styles.invitationReason}>{REASON}</span>
          </>
        }
      >
        <p className="md two">Ask the person who invited you for a new link.</p>
        <div className={styles.invitationActions}>
          <ButtonLink to={paths.login} tone="primary" size="lg">
            Go to Login
          </ButtonLink>
        </div>
      </PublicPage>
    );
  }
  return (
    <PublicPage title="Invalid Invitation">
      <Note tone="bad">{props.sentence}</Note>
      <div className={styles.invitationActions}>
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
