import { isolated } from '@stet/domain/workflows';
import type { RunStep } from '@stet/contract';
import { Note } from '../../../ui/note.tsx';

/** The rejection that a step must still resolve; nothing if there is none. */
export function RejectionNote({ rejection }: Pick<RunStep, 'rejection'>) {
  if (!rejection) return null;
  const { by, comments, retriedAlone } = rejection;
  return (
    <Note tone="warn">
      {by ? `Rejected by ${isolated(by.name)}: ${isolated(comments)}` : isolated(comments)}
      {retriedAlone && ' Retried by someone whose own work was rejected: nobody else could.'}
    </Note>
  );
}
