import { isolated } from '@stet/domain/workflows';
import type { RunStep } from '@stet/contract';
import { Note } from '../../ui/note.tsx';

/** The latest rejection of an approval step, until the step is approved. Renders nothing without one. */
export function RejectionNote({ rejection }: Pick<RunStep, 'rejection'>) {
  if (!rejection) return null;
  const { by, comments, retriedAlone } = rejection;
  return (
    <Note tone="warn">
      {by ? `Rejected by ${isolated(by.name)}: ${isolated(comments)}` : isolated(comments)}
      {retriedAlone && ' Retried by a person whose own work was rejected, because nobody else could retry it.'}
    </Note>
  );
}
