import { lazyDialog } from './lazy-dialog.tsx';
import type { SubmitDialogProps } from './submit-form.tsx';

/** Asks for the summary and reviewers of a submission, and shows problems that must be fixed first. */
export const SubmitDialog = lazyDialog<SubmitDialogProps>(async () => (await import('./submit-form.tsx')).SubmitForm);
