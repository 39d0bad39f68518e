import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import type { RunActions } from './use-run-actions.ts';

const RunDialog = lazyDialog(async () => (await import('./run-dialog.tsx')).RunDialog);

/** The dialog that an action on the run opens. */
export function RunDialogs({ actions }: { actions: RunActions }) {
  return actions.asking.for === 'nothing' ? null : <RunDialog actions={actions} onClose={actions.stopAsking} />;
}
