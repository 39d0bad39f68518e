import type { Run, RunStep } from '@stet/contract';
import { NOTES_IN_HISTORY } from '@stet/domain/runs';

/** The notes in a run's history on one of its steps, oldest first. Long texts are cut. */
export const notesOn = ({ history }: Pick<Run, 'history'>, stepId: string): Run['history'] =>
  history.filter((entry) => entry.action === 'noted' && entry.stepId === stepId);

/** True if the run may have older notes that its history doesn't contain. */
export const hasOlderNotes = ({ history }: Pick<Run, 'history'>): boolean =>
  history.filter(({ action }) => action === 'noted').length >= NOTES_IN_HISTORY;

/** A choice of what a note is about: the whole run, or one of its steps. */
type Subject = { value: string; label: string };

export const WHOLE_RUN = '';

export const noteSubjects = (steps: readonly Pick<RunStep, 'id' | 'title'>[]): Subject[] => [
  { value: WHOLE_RUN, label: 'About the whole run' },
  ...steps.map(({ id, title }, at) => ({ value: id, label: `About ${at + 1} ${title}` })),
];
