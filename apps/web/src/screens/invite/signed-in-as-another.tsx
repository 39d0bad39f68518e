import { Link } from 'react-router';
import { logOut } from '../../features/accounts/api/log-out.ts';
import { forgetTypedInput } from '../../features/runs/components/use-typed-input.ts';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import styles from '../../features/accounts/components/public-page.module.css';

function leave(): void {
  forgetTypedInput();
  logOut();
}

/**
 * Shown to a person who is signed in with another address than the invited one, because they can't accept the
 * invitation.
 */
export function SignedInAsAnother({ visitor, invited }: { visitor: { email: string }; invited: string }) {
  return (
    <>
      <Note tone="warn">
        This invitation is for <b className="bold">{invited}</b>, and you are signed in as{' '}
        <b className="bold">{visitor.email}</b>. Log out to accept it.
      </Note>
      <Button tone="primary" size="lg" onClick={leave}>
        Log out
      </Button>
      <p className={styles.other}>
        Not now?{' '}
        <Link to={paths.app} className="med">
          Back to the app
        </Link>
      </p>
    </>
  );
}
