import { lazyDialog } from './lazy-dialog.tsx';
import type { SubmitDialogProps } from './submit-form.tsx';

/** Asks for the summary and reviewers of a submission. Shows errors, which must be fixed first, and warnings. */
export const SubmitDialog = lazyDialog<SubmitDialogProps>(async () => (await import('./submit-form.tsx')).SubmitForm);
