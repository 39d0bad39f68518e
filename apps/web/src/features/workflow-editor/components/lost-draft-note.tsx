import { Note } from '../../../ui/note.tsx';

/** Shown above a workflow that was opened instead of a discarded draft. */
export function LostDraftNote() {
  return (
    <Note tone="warn">The draft that this address names is no longer there. This is the workflow as it is now.</Note>
  );
}
