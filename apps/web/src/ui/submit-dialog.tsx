import { lazyDialog } from './lazy-dialog.tsx';
import type { SubmitDialogProps } from './submit-form.tsx';

/** Asks for what a submission of a draft needs, and shows what should be fixed first. */
export const SubmitDialog = lazyDialog<SubmitDialogProps>(async () => (await import('./submit-form.tsx')).SubmitForm);
