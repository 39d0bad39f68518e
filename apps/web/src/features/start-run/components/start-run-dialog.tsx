import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import type { StartRunFormProps } from './start-run-form.tsx';

/** A dialog that asks for a run's name, description and priority and starts it. It opens when it is mounted. */
export const StartRunDialog = lazyDialog<StartRunFormProps>(
  async () => (await import('./start-run-form.tsx')).StartRunForm,
);
