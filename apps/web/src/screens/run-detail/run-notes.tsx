import type { Run } from '@stet/contract';
import { Pause } from 'lucide-react';
import { Note } from '../../ui/note.tsx';
import type { RunActions } from './use-run-actions.ts';

type RunNotesProps = { run: Run; actions: RunActions; hasFailed: boolean };

/** What has to be known before acting: over the steps, for it is about all of them. */
export function RunNotes({ run, actions, hasFailed }: RunNotesProps) {
  return (
    <div className="run-notes">
      {actions.conflict && <Note tone="warn">{actions.conflict} Below is the run as it stands now.</Note>}
      {actions.runError && <Note tone="bad">{actions.runError}</Note>}
      {hasFailed && (
        <Note tone="warn">Refreshing failed. This is the run as it was; it is tried again every 8 seconds.</Note>
      )}
      {run.status === 'paused' && (
        <Note icon={Pause}>This run is paused. Its clocks stand still, and no step can be acted on.</Note>
      )}
      {run.status === 'cancelled' && <Note>This run was cancelled.</Note>}
      {run.status === 'completed' && (
        <Note tone="ok">
          {actions.leaving ? (
            <>
              Workflow completed. You go on to the runs in 3 seconds.{' '}
              <button type="button" className="link" onClick={actions.stay}>
                Stay here
              </button>
            </>
          ) : (
            'Workflow completed.'
          )}
        </Note>
      )}
    </div>
  );
}
