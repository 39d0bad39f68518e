import type { Run } from '@stet/contract';
import { useState } from 'react';
import { useServerNow } from '../../../lib/use-server-now.ts';
import { runAt } from '../model/run-at.ts';
import type { Asking } from './run-dialogs.tsx';
import { useRunActions } from './use-run-actions.ts';

/** A run as it is at this moment of the server's clock, what can be done with it, and which dialog stands before it. */
export function useShownRun(answered: Run, updatedAt: number) {
  const [asking, setAsking] = useState<Asking>({ for: 'nothing' });
  const close = () => setAsking({ for: 'nothing' });
  const now = useServerNow(answered, updatedAt);
  const run = runAt(answered, now);
  return { run, now, asking, setAsking, close, actions: useRunActions(run, close) };
}

export type ShownRunProps = {
  run: Run;
  /** When the run was loaded, by this browser's clock. */
  updatedAt: number;
  /** The last refresh failed; the run is as it was before. */
  hasFailed: boolean;
};
