import type { Run } from '@stet/contract';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import type { RunActions } from './use-run-actions.ts';

const RunDialog = lazyDialog(async () => (await import('./run-dialog.tsx')).RunDialog);
const HandOverForm = lazyDialog(async () => (await import('./hand-over-form.tsx')).HandOverForm);
const AskForm = lazyDialog(async () => (await import('./ask-form.tsx')).AskForm);

/** The dialog that an action on the run opens. */
export function RunDialogs({ run, actions }: { run: Run; actions: RunActions }) {
  const { asking, stopAsking } = actions;
  if (asking.for === 'nothing') return null;
  if (asking.for === 'question') return <AskForm runId={run.id} step={asking.step} onClose={stopAsking} />;
  if (asking.for === 'hand_over') return <HandOverForm step={asking.step} actions={actions} onClose={stopAsking} />;
  return <RunDialog actions={actions} onClose={stopAsking} />;
}
