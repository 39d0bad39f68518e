import { Note } from '../../../ui/note.tsx';

/** Above a workflow that stands in the place of a draft that was discarded. */
export function LostDraftNote() {
  return (
    <Note tone="warn">The draft that this address names is no longer there. This is the workflow as it is now.</Note>
  );
}
