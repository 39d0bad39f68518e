import type { BodyInput, OkOf, Priority } from '@stet/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../../../lib/api/api.ts';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { randomKey } from '../../../lib/api/random-key.ts';
import { runKeys } from './run-keys.ts';

export type BulkAction = { action: 'pause' } | { action: 'cancel' } | { action: 'set_priority'; priority: Priority };
export type BulkResult = OkOf<'POST /api/runs/bulk'>['results'][number];

export const bulkSchema = async () => (await import('@stet/contract/runs')).runRoutes['POST /api/runs/bulk'].body;

/** Runs per call. The number is small, so that the progress is visible. */
const AT_ONCE = 10;

type Progress = { state: 'idle' | 'sending' | 'stopped' | 'done'; results: BulkResult[]; error: string | null };

/**
 * Changes several runs in batches. If a call fails, the earlier results remain. The next `send` repeats the failed call
 * with the same key, so that no run is changed twice.
 */
export function useBulkRuns(ids: readonly string[]) {
  const queryClient = useQueryClient();
  const [progress, setProgress] = useState<Progress>({ state: 'idle', results: [], error: null });
  const keys = useRef(new Map<number, string>());

  const send = async (action: BulkAction, reason: string) => {
    const results = [...progress.results];
    setProgress({ state: 'sending', results, error: null });
    try {
      while (results.length < ids.length) {
        const from = results.length;
        const key = keys.current.get(from) ?? randomKey();
        keys.current.set(from, key);
        const body: BodyInput<'POST /api/runs/bulk'> = {
          ids: ids.slice(from, from + AT_ONCE),
          ...action,
          reason: reason || null,
        };
        const answer = await api('POST /api/runs/bulk', { body, idempotencyKey: key });
        results.push(...answer.results);
        setProgress({ state: 'sending', results: [...results], error: null });
      }
      setProgress({ state: 'done', results, error: null });
    } catch (error) {
      setProgress({ state: 'stopped', results, error: errorSentence(error, 'Failed to change the runs') });
    }
    await queryClient.invalidateQueries({ queryKey: runKeys.all });
  };
  return { progress, send };
}
