import { useState } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { counted } from '../../../lib/format/number.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Note } from '../../../ui/note.tsx';
import { toast } from '../../../ui/toast.ts';
import { type JobAction, useJobAction, useJobs } from '../api/use-installation.ts';
import { Row, Rows } from './rows.tsx';

/** Jobs, such as emails, whose last attempt failed, with the reason. Those that haven't failed for good are retried. */
export function JobRows() {
  const list = useJobs();
  const change = useJobAction();
  const [dropping, setDropping] = useState<string | null>(null);
  const act = (id: string, action: JobAction): void => {
    if (change.isPending) return;
    change.mutate({ id, action }, { onSuccess: ({ message }) => (setDropping(null), toast.ok('Done', message)) });
  };
  return (
    <>
      {change.error && dropping === null && <Note tone="bad">{errorSentence(change.error, 'An error occurred')}</Note>}
      <Rows what="jobs" query={list} rows={list.data} none="No job has failed">
        {({ id, task, state, attempts, reason }) => (
          <Row
            key={id}
            name={
              <>
                {task}{' '}
                <Badge tone={state === 'failed' ? 'fail' : 'gray'}>
                  {state === 'failed' ? 'Failed' : 'Will be retried'}
                </Badge>
              </>
            }
            facts={
              <>
                {counted(attempts, 'attempt')}
                {reason !== null && ` · ${reason}`}
              </>
            }
            actions={
              <>
                <Button size="sm" aria-label={`Retry now: ${task} ${id}`} onClick={() => act(id, 'retry')}>
                  Retry now
                </Button>
                <Button size="sm" aria-label={`Drop: ${task} ${id}`} onClick={() => setDropping(id)}>
                  Drop
                </Button>
              </>
            }
          />
        )}
      </Rows>
      {dropping !== null && (
        <ConfirmDialog
          open
          danger
          title="Drop this job?"
          confirmLabel="Drop"
          busy={change.isPending && 'Dropping…'}
          error={change.error && errorSentence(change.error, 'An error occurred')}
          onConfirm={() => act(dropping, 'drop')}
          onCancel={() => (setDropping(null), change.reset())}
        >
          It won’t be executed. An email, for example, won’t be sent.
        </ConfirmDialog>
      )}
    </>
  );
}
