import { isolated } from '@stet/domain/workflows';
import type { Run } from '@stet/contract';
import { Pause } from 'lucide-react';
import { copyText } from '../../../lib/copy-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import { toast } from '../../../ui/toast.ts';
import type { LeftBehind } from '../model/left-behind.ts';
import type { RunActions } from './use-run-actions.ts';
import './run-notes.css';

type RunNotesProps = {
  run: Run;
  actions: RunActions;
  /** The last refresh failed. */
  hasFailed: boolean;
};

/** What has to be known before acting: over the steps, for it is about all of them. */
export function RunNotes({ run, actions, hasFailed }: RunNotesProps) {
  return (
    <div className="run-notes">
      {actions.conflict && <Note tone="warn">{actions.conflict} Below is the run as it stands now.</Note>}
      {actions.leftBehind.map((left) => (
        <LeftBehindNote key={left.stepId} left={left} onDiscard={() => actions.forget(left.stepId)} />
      ))}
      {actions.runError && <Note tone="bad">{actions.runError}</Note>}
      {hasFailed && (
        <Note tone="warn">Refreshing failed. This is the run as it was; it is tried again every 8 seconds.</Note>
      )}
      {run.status === 'paused' && (
        <Note icon={Pause}>
          This run is paused. Its clocks stand still, and no step can be acted on. {pausedWords(run)}
        </Note>
      )}
      {run.status === 'failed' && (
        <Note>
          This run has failed. It goes on once the failed step is retried; until then no step can be acted on.
        </Note>
      )}
      {run.status === 'cancelled' && <Note>{cancelledWords(run)}</Note>}
      {run.status === 'completed' && (
        <Note tone="ok">
          {actions.leaving ? (
            <>
              This run is completed. You go on to the runs in 3 seconds.{' '}
              <button type="button" className="link" onClick={actions.stay}>
                Stay here
              </button>
            </>
          ) : (
            'This run is completed.'
          )}
        </Note>
      )}
    </div>
  );
}

function LeftBehindNote({ left, onDiscard }: { left: LeftBehind; onDiscard: () => void }) {
  const text = left.lines.join('\n');
  const copy = async () => {
    if (await copyText(text)) toast.ok('Copied');
    else toast.warn('The browser did not copy it', 'Select the text and copy it by hand.');
  };
  return (
    <Note tone="warn">
      <b className="med">{left.title}</b> {left.what} What you had typed was not sent:
      <blockquote className="left-behind">{text}</blockquote>
      <span className="row">
        <Button size="sm" onClick={() => void copy()}>
          Copy
        </Button>
        <Button size="sm" tone="quiet" onClick={onDiscard}>
          Discard
        </Button>
      </span>
    </Note>
  );
}

function pausedWords({ paused }: Run): string {
  if (!paused?.by) return '';
  const name = isolated(paused.by.name);
  return paused.reason === null
    ? `${name} paused it and gave no reason.`
    : `${name} paused it: “${isolated(paused.reason)}”`;
}

function cancelledWords({ history }: Run): string {
  const entry = history.findLast(({ action }) => action === 'run_cancelled');
  const reason = entry?.data['reason'];
  if (!entry) return 'This run was cancelled.';
  return `This run was cancelled by ${isolated(entry.actor.name)}${typeof reason === 'string' ? `: “${isolated(reason)}”` : '.'}`;
}
