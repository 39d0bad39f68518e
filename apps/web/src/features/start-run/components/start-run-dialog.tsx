import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import type { StartRunFormProps } from './start-run-form.tsx';

/** Asks for a run's name and priority, and starts it. Mount it to open it. */
export const StartRunDialog = lazyDialog<StartRunFormProps>(
  async () => (await import('./start-run-form.tsx')).StartRunForm,
);
