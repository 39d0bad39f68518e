import { Note } from '../../../ui/note.tsx';

/** Shown if an address names a discarded draft and the workflow was opened instead. */
export function LostDraftNote() {
  return <Note tone="warn">The draft at this address no longer exists. This is the current workflow.</Note>;
}
