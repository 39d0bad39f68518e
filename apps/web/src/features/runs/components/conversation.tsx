import type { Run } from '@stet/contract';
import { useRef, useState } from 'react';
import { useCan } from '../../../lib/session/signed-in.ts';
import { classNames } from '../../../ui/class-names.ts';
import { Select } from '../../../ui/field.tsx';
import { useNotes } from '../api/use-notes.ts';
import { WHOLE_RUN, noteSubjects } from '../model/notes-of.ts';
import { NoteForm } from './note-form.tsx';
import { NoteList } from './note-list.tsx';
import styles from './conversation.module.css';

type ConversationProps = {
  run: Pick<Run, 'id' | 'steps'>;
  /** The server's time in milliseconds. */
  now: number;
  /** Receives the text that isn't sent yet. */
  onText: (text: string) => void;
};

/** All notes on a run and its steps, and a form for a new one. It is shown in every state of the run. */
export function Conversation({ run, now, onText }: ConversationProps) {
  const list = useNotes(run.id);
  const canWrite = useCan('run.note');
  const [about, setAbout] = useState(WHOLE_RUN);
  const section = useRef<HTMLElement>(null);
  const titles = new Map(run.steps.map(({ id, title }) => [id, title]));
  const isEmpty = list.data?.pages[0]?.notes.length === 0;
  const reply = (stepId: string | null) => {
    setAbout(stepId ?? WHOLE_RUN);
    section.current?.querySelector('textarea')?.focus();
  };
  return (
    <section ref={section} className={classNames('sheet', styles.conversation)} aria-labelledby="conversation">
      <h2 id="conversation">Conversation</h2>
      {isEmpty && (
        <p className={styles.none}>No notes yet. They stay with the run, and everyone who sees it can read them.</p>
      )}
      <NoteList
        list={list}
        now={now}
        titleOf={({ stepId }) => (stepId === null ? null : (titles.get(stepId) ?? stepId))}
        {...(canWrite && { onReply: ({ stepId }) => reply(stepId) })}
      />
      {canWrite && (
        <NoteForm
          runId={run.id}
          label="Write a note. Type @ to mention someone."
          submitLabel="Send"
          stepId={about === WHOLE_RUN ? undefined : about}
          onText={onText}
        >
          <Select
            className={styles.about}
            aria-label="About"
            value={about}
            onChange={({ target }) => setAbout(target.value)}
          >
            {noteSubjects(run.steps).map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </NoteForm>
      )}
    </section>
  );
}
