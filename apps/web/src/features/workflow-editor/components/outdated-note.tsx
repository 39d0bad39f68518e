import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { Note } from '../../../ui/note.tsx';
import styles from './workflow-editor.module.css';

type OvertakenNoteProps = { at: { key: string; id: string }; by: number; readOnly: boolean };

/** Shown if another version went live after the draft was created. The draft must be rebased before it can go live. */
export function OutdatedNote({ at, by, readOnly }: OvertakenNoteProps) {
  return (
    <div className={styles.editorNote}>
      <Note tone="warn">
        v{by} went live after this draft was created.{' '}
        {readOnly ? (
          'The draft must be rebased before it can go live.'
        ) : (
          <>
            Rebase this draft before it can go live. <Link to={paths.rebase(at)}>Open the merge</Link>
          </>
        )}
      </Note>
    </div>
  );
}
