import type { Run } from '@stet/contract';
import { FILE_LIMITS } from '@stet/domain/steps';
import { type ReactNode, useState } from 'react';
import { AttachFiles } from '../../../step-types/run/attach-files.tsx';
import { FileRows } from '../../../step-types/run/file-rows.tsx';
import { useFileUploads } from '../../../step-types/run/use-file-uploads.ts';
import { classNames } from '../../../ui/class-names.ts';
import { CommentForm } from '../../../ui/comments/comment-form.tsx';
import { noteSchema, useAddNote } from '../api/use-notes.ts';
import styles from './note-form.module.css';

const LIMIT = { most: FILE_LIMITS.perNote, sentence: `This note already has ${FILE_LIMITS.perNote} files` };
const UNFINISHED = 'Some files aren’t uploaded. Wait for the uploads, and retry or remove those that failed.';

type NoteFormProps = {
  runId: Run['id'];
  label: string;
  submitLabel: string;
  /** Absent for a note on the whole run. */
  stepId?: string | undefined;
  /** Receives the text that isn't sent yet. */
  onText?: ((text: string) => void) | undefined;
  /** Shown beside the button. */
  children?: ReactNode;
};

/** A form for a note. Files can be chosen, or dropped or pasted anywhere in it. */
export function NoteForm({ runId, label, submitLabel, stepId, onText, children }: NoteFormProps) {
  const addNote = useAddNote(runId);
  const [value, setValue] = useState('');
  const [isOver, setOver] = useState(false);
  const files = useFileUploads({ value, place: { runId }, onChange: setValue, limit: LIMIT });
  const { entries, add } = files;
  const ids = entries.flatMap(({ evidence }) => (evidence ? [evidence.fileId] : []));
  const isUnfinished = ids.length < entries.length;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Dropping and pasting are shortcuts for choosing.
    <div
      className={classNames(styles.form, isOver && styles.isOver)}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        if (event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        add([...event.dataTransfer.files]);
      }}
      onPaste={(event) => {
        // Spreadsheets and documents put a picture of copied text on the clipboard too, so files are only used if there
        // is no text.
        if (event.clipboardData.getData('text') === '' && event.clipboardData.files.length > 0)
          add([...event.clipboardData.files]);
      }}
    >
      <CommentForm
        label={label}
        submitLabel={submitLabel}
        schema={noteSchema}
        body={(text) => ({ text, ...(stepId !== undefined && { stepId }), ...(ids.length > 0 && { files: ids }) })}
        failed={isUnfinished ? UNFINISHED : 'The note was not sent'}
        onSend={async (body) => {
          if (isUnfinished) throw new Error(UNFINISHED);
          await addNote.mutateAsync(body);
          setValue('');
        }}
        onText={onText}
        onClose={null}
        above={<FileRows name={label} files={files} />}
      >
        <AttachFiles name={label} onFiles={add} />
        {children}
      </CommentForm>
    </div>
  );
}
