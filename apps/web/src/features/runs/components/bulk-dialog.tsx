import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import type { BulkFormProps } from './bulk-form.tsx';

/** Asks for a reason, changes several runs, and shows the result of each. It opens when it is mounted. */
export const BulkDialog = lazyDialog<BulkFormProps>(async () => (await import('./bulk-form.tsx')).BulkForm);
