import { useState } from 'react';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { Button } from '../../../ui/button.tsx';
import { TextareaField } from '../../../ui/field.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { Note } from '../../../ui/note.tsx';
import { priorityWord } from '../../../ui/priority.tsx';
import { bulkSchema, useBulkRuns } from '../api/use-bulk-runs.ts';
import type { BulkAction } from '../api/use-bulk-runs.ts';
import { runTitle } from '../model/run-title.ts';
import styles from './bulk-bar.module.css';

export type BulkFormProps = {
  runs: readonly { id: string; name: string }[];
  action: BulkAction;
  onClose: () => void;
};

const runWords = (count: number): string => (count === 1 ? '1 run' : `${count} runs`);

function wordsOf(action: BulkAction, count: number) {
  switch (action.action) {
    case 'pause':
      return {
        title: `Pause ${runWords(count)}?`,
        about: 'Their clocks stop, and nobody can act on their steps until they are resumed.',
        confirm: 'Pause',
        done: 'Paused',
      };
    case 'cancel':
      return {
        title: `Cancel ${runWords(count)}?`,
        about: 'The runs stop permanently. Their history is kept.',
        confirm: 'Cancel runs',
        done: 'Cancelled',
      };
    case 'set_priority':
      return {
        title: `Set the priority of ${runWords(count)} to ${priorityWord(action.priority)}?`,
        about: 'This changes their position in lists sorted by priority.',
        confirm: 'Change priority',
        done: priorityWord(action.priority),
      };
  }
}

export function BulkForm({ runs: given, action, onClose }: BulkFormProps) {
  // The form keeps the runs it was opened with, even if the list is refreshed.
  const [runs] = useState(given);
  const { progress, send } = useBulkRuns(runs.map(({ id }) => id));
  const { title, about, confirm, done } = wordsOf(action, runs.length);
  const { state, results, error } = progress;
  const changed = results.filter(({ refusal }) => refusal === null).length;

  const form = useContractForm({
    schema: bulkSchema,
    initial: { reason: '' },
    // Only the first id is validated, because `send` splits the ids into several calls.
    body: ({ reason }) => ({ ids: runs.slice(0, 1).map(({ id }) => id), ...action, reason: reason.trim() || null }),
    failed: '',
    send: async (_body, { reason }) => {
      if (state === 'idle' || state === 'stopped') await send(action, reason.trim());
    },
  });
  return (
    <Modal
      open
      title={state === 'done' ? `${changed} of ${runWords(runs.length)} changed` : title}
      onClose={onClose}
      onSubmit={form.submit}
      footer={
        state === 'done' ? (
          <Button tone="primary" data-autofocus onClick={onClose}>
            Close
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{results.length > 0 ? 'Close' : 'Keep as they are'}</Button>
            <Button
              type="submit"
              tone={action.action === 'cancel' ? 'danger-solid' : 'primary'}
              busy={state === 'sending' && `${results.length} of ${runs.length}…`}
            >
              {state === 'stopped' ? 'Continue' : confirm}
            </Button>
          </>
        )
      }
    >
      {state === 'idle' && (
        <>
          <p className="md two">{about}</p>
          <TextareaField
            {...form.field('reason')}
            label={action.action === 'cancel' ? 'Reason' : 'Reason (optional)'}
            hint="Recorded in each run’s history."
            data-autofocus
            maxLength={2000}
          />
        </>
      )}
      {state !== 'idle' && (
        <>
          <progress aria-label="Progress" max={runs.length} value={results.length} style={{ width: '100%' }} />
          <ul className={styles.results} aria-label="Results">
            {results.map(({ id, refusal }) => (
              <li key={id}>
                <span>{runTitle(runs.find((run) => run.id === id) ?? { id, name: '' })}</span>
                <span className={refusal ? 'two' : 'muted'}>{refusal?.error ?? done}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {error && <Note tone="bad">{error}</Note>}
    </Modal>
  );
}
