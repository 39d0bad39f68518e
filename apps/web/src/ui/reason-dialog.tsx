import { lazyDialog } from './lazy-dialog.tsx';
import type { ReasonDialogProps } from './reason-form.tsx';

/** Asks for a reason before an action. The dialog opens when it is mounted. */
export const ReasonDialog = lazyDialog<ReasonDialogProps>(async () => (await import('./reason-form.tsx')).ReasonForm);
