import { isolated } from '@stet/domain/workflows';
import type { Run } from '@stet/contract';
import { Pause } from 'lucide-react';
import { copyText } from '../../../lib/copy-text.ts';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import { toast } from '../../../ui/toast.ts';
import type { UnsentText } from '../model/unsent-text.ts';
import type { RunActions } from './use-run-actions.ts';
import styles from './run-banners.module.css';

type RunBannersProps = {
  run: Run;
  actions: RunActions;
  /** Text that was typed for steps that no longer need it. */
  unsentText: readonly UnsentText[];
  leaving: { isLeaving: boolean; stay: () => void };
  /** Whether the last refresh failed. */
  hasFailed: boolean;
};

/** Messages about the state of the whole run, shown above its steps. */
export function RunBanners({ run, actions, unsentText, leaving, hasFailed }: RunBannersProps) {
  return (
    <div className={styles.runBanners}>
      {actions.conflict && <Note tone="warn">{actions.conflict} The current run is shown below.</Note>}
      {unsentText.map((left) => (
        <UnsentTextNote key={left.stepId} left={left} onDiscard={() => actions.forget(left.stepId)} />
      ))}
      {actions.runError && <Note tone="bad">{actions.runError}</Note>}
      {hasFailed && (
        <Note tone="warn">Couldn’t refresh, so this may be out of date. We’ll try again within 8 seconds.</Note>
      )}
      {run.status === 'paused' && (
        <Note icon={Pause}>
          This run is paused. Its clocks are stopped and its steps are locked. {pausedWords(run)}
        </Note>
      )}
      {run.status === 'failed' && <Note>This run has failed. It continues once someone retries the failed step.</Note>}
      {run.status === 'cancelled' && <Note>{cancelledWords(run)}</Note>}
      {run.status === 'completed' && (
        <Note tone="ok">
          {leaving.isLeaving ? (
            <>
              This run is completed. Returning to the list of runs in 3 seconds.{' '}
              <LinkButton onClick={leaving.stay}>Stay here</LinkButton>
            </>
          ) : (
            'This run is completed.'
          )}
        </Note>
      )}
    </div>
  );
}

function UnsentTextNote({ left, onDiscard }: { left: UnsentText; onDiscard: () => void }) {
  const text = left.lines.join('\n');
  const copy = async () => {
    if (await copyText(text)) toast.ok('Copied');
    else toast.warn('The browser blocked copying', 'Select the text and copy it yourself.');
  };
  return (
    <Note tone="warn">
      <b className="med">{left.title}</b> {left.what} Your text was not sent:
      <blockquote className={styles.unsentText}>{text}</blockquote>
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
