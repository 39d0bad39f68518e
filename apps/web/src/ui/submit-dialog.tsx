import { lazyDialog } from './lazy-dialog.tsx';
import type { SubmitDialogProps } from './submit-form.tsx';

/** Asks for what a draft's submission needs, and shows problems that must be fixed first. */
export const SubmitDialog = lazyDialog<SubmitDialogProps>(async () => (await import('./submit-form.tsx')).SubmitForm);
