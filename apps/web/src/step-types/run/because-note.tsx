import type { RunStep } from '@stet/contract';
import { isFirstHand } from '@stet/domain/access';
import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { useUser } from '../../lib/session/signed-in.ts';
import { usePeople } from '../../lib/session/use-members.ts';
import { Note } from '../../ui/note.tsx';

/**
 * The reason why the user can't do the step's next action. If they must prove their address first, it has a link to do
 * so.
 */
export function BecauseNote({ because }: Pick<RunStep, 'because'>) {
  const { provedBy } = useUser();
  const { withNames } = usePeople();
  if (!because) return null;
  const lacksProof = because.code === 'reviewer_not_counted_yet' && !isFirstHand(provedBy);
  return (
    <Note>
      {withNames(because.sentence).replace(/([^.])$/, '$1.')}{' '}
      {lacksProof && <Link to={paths.profile}>Prove your address</Link>}
    </Note>
  );
}
