import type { Run, RunStep } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { useId, useState } from 'react';
import { useCan } from '../../../lib/session/signed-in.ts';
import { LinkButton } from '../../../ui/button.tsx';
import { useNotes } from '../api/use-notes.ts';
import { hasOlderNotes, notesOn } from '../model/notes-of.ts';
import { NoteForm } from './note-form.tsx';
import { NoteList } from './note-list.tsx';
import styles from './conversation.module.css';

type StepThreadProps = {
  run: Run;
  step: Pick<RunStep, 'id' | 'title'>;
  /** The server's time in milliseconds. */
  now: number;
  startsOpen?: boolean;
  /** Receives the text that isn't sent yet. */
  onText?: ((text: string) => void) | undefined;
};

/**
 * The notes on one step, below its panel. They are folded into one line until they are opened. Nothing is shown if the
 * step certainly has no notes.
 */
export function StepThread({ run, step, now, startsOpen = false, onText }: StepThreadProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  const id = useId();
  const notes = notesOn(run, step.id);
  const latest = notes.at(-1);
  const isPart = hasOlderNotes(run);
  if (!latest && !isPart) return null;
  const text = latest?.data['text'];
  return (
    <div className={styles.thread}>
      <p className={styles.line}>
        <LinkButton small aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          {labelOf(notes.length, isPart)}
        </LinkButton>
        {!isOpen && latest && (
          <span className="muted xs trunc">
            {isolated(latest.actor.name)}: {typeof text === 'string' && isolated(text)}
          </span>
        )}
      </p>
      <div id={id}>{isOpen && <Thread run={run} step={step} now={now} onText={onText} />}</div>
    </div>
  );
}

function labelOf(count: number, isPart: boolean): string {
  if (isPart) return count === 0 ? 'Notes' : `${count} or more notes`;
  return count === 1 ? '1 note' : `${count} notes`;
}

function Thread({ run, step, now, onText }: Omit<StepThreadProps, 'startsOpen'>) {
  const list = useNotes(run.id, step.id);
  const canWrite = useCan('run.note');
  return (
    <>
      <NoteList list={list} now={now} />
      {canWrite && (
        <NoteForm runId={run.id} label={`Note on ${step.title}`} submitLabel="Reply" stepId={step.id} onText={onText} />
      )}
    </>
  );
}
