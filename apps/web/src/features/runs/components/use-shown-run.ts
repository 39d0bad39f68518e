import type { Run } from '@stet/contract';
import { REDIRECT_MS } from '@stet/presentation/constants';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { useServerNow } from '../../../lib/use-server-now.ts';
import { toast } from '../../../ui/toast.ts';
import { leftBehind } from '../model/left-behind.ts';
import { runAt } from '../model/run-at.ts';
import { useRunActions } from './use-run-actions.ts';

/**
 * A run at the current server time, with its actions, the typed text that is no longer needed, and whether the app is
 * about to navigate back to the list.
 */
export function useShownRun(answered: Run, updatedAt: number) {
  const now = useServerNow(answered, updatedAt);
  const run = runAt(answered, now);
  const actions = useRunActions(run);
  // While a response is pending, it is unknown whether typed text is still needed.
  const left = actions.pending ? [] : leftBehind(run, actions.typed);
  return { run, now, actions, leftBehind: left, leaving: useLeaving(run, actions.pending !== null || left.length > 0) };
}

/**
 * When the run that is being viewed finishes, returns to the list unless the person stays (specification, section 4).
 * Doesn't leave while an action is pending or typed text is still unsent.
 */
function useLeaving({ status, name }: Run, isHeld: boolean) {
  const [seen, setSeen] = useState(status);
  const [isFinished, setFinished] = useState(false);
  const navigate = useNavigate();
  if (seen !== status) {
    setSeen(status);
    setFinished(status === 'completed');
  }
  useEffect(() => {
    if (isFinished) toast.ok('Workflow Completed', name);
  }, [isFinished, name]);
  const isLeaving = isFinished && !isHeld;
  useEffect(() => {
    if (!isLeaving) return;
    const timer = setTimeout(() => void navigate(paths.runs), REDIRECT_MS.afterRun);
    return () => clearTimeout(timer);
  }, [isLeaving, navigate]);
  return { isLeaving, stay: () => setFinished(false) };
}

export type ShownRunProps = {
  run: Run;
  /** When the run was loaded, by this browser's clock. */
  updatedAt: number;
  /** Whether the last refetch failed, so that an older run is shown. */
  hasFailed: boolean;
};
