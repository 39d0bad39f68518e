import type { Run } from '@stet/contract';
import { REDIRECT_MS } from '@stet/presentation/constants';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { useServerNow } from '../../../lib/use-server-now.ts';
import { toast } from '../../../ui/toast.ts';
import { findUnsentText } from '../model/unsent-text.ts';
import { runAt } from '../model/run-at.ts';
import { useStepPanels } from './step-panel.tsx';
import { useRunActions } from './use-run-actions.ts';

/**
 * A run at the current server time, with its actions, the typed text that is no longer needed, and whether the app is
 * about to navigate back to the list.
 */
export function useShownRun(loadedRun: Run, updatedAt: number) {
  useStepPanels();
  const now = useServerNow(loadedRun, updatedAt);
  const run = runAt(loadedRun, now);
  const actions = useRunActions(run);
  // While a response is pending, it is unknown whether typed text is still needed.
  const unsentText = actions.pending ? [] : findUnsentText(run, actions.typed);
  const [written, setWritten] = useState<ReadonlySet<string>>(new Set());
  /** Records whether a form has the text of a note that isn't sent yet. */
  const writeNote = (form: string, text: string) => {
    const isThere = text.trim() !== '';
    if (written.has(form) === isThere) return;
    setWritten(new Set(isThere ? [...written, form] : [...written].filter((each) => each !== form)));
  };
  const isBlocked = actions.pending !== null || unsentText.length > 0 || written.size > 0;
  return { run, now, actions, unsentText, writeNote, leaving: useLeaving(run, isBlocked) };
}

/**
 * When the run that is being viewed is completed, returns to the list unless the person stays (specification, section
 * 4). Doesn't leave while an action is pending or typed text is still unsent.
 */
function useLeaving({ status, name }: Run, isBlocked: boolean) {
  const [previousStatus, setPreviousStatus] = useState(status);
  const [isFinished, setFinished] = useState(false);
  const navigate = useNavigate();
  if (previousStatus !== status) {
    setPreviousStatus(status);
    setFinished(status === 'completed');
  }
  useEffect(() => {
    if (isFinished) toast.ok('Workflow Completed', name);
  }, [isFinished, name]);
  const isLeaving = isFinished && !isBlocked;
  useEffect(() => {
    if (!isLeaving) return;
    const timer = setTimeout(() => void navigate(paths.runs), REDIRECT_MS.afterRun);
    return () => clearTimeout(timer);
  }, [isLeaving, navigate]);
  return { isLeaving, stay: () => setFinished(false) };
}

export type ShownRunProps = {
  run: Run;
  /** When the run was loaded, by this browser's clock in milliseconds. */
  updatedAt: number;
  /** Whether the last refetch failed; an older run is then shown. */
  hasFailed: boolean;
};
