import type { LiveEvents } from '@stet/contract';
import type { QueryClient } from '@tanstack/react-query';
import { isAffectedBy } from './live-on.ts';

type Change = LiveEvents['changed'];

// The pause after a refetch. A busy organization can change many times per second, faster than anyone can read.
const BETWEEN_MS = 400;

/**
 * Refetches the queries that are affected by changes. The first change is fetched immediately. Changes that arrive
 * during a refetch, or in the pause after it, are fetched together afterwards, so that no response is discarded.
 */
export function gatherRefetches(queryClient: QueryClient) {
  let waiting: Change[] | 'everything' = [];
  let isBusy = false;
  let isStopped = false;

  const work = async (): Promise<void> => {
    isBusy = true;
    while (waiting === 'everything' || waiting.length > 0) {
      const changes = waiting;
      waiting = [];
      await queryClient.invalidateQueries({
        predicate: (query) =>
          changes === 'everything' ? query.meta?.live !== undefined : isAffectedBy(query, changes),
      });
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
      if (isStopped) break;
    }
    isBusy = false;
  };
  const soon = (): void => {
    if (!isBusy && !isStopped) void work();
  };
  return {
    changed: (change: Change): void => {
      if (waiting !== 'everything') waiting.push(change);
      soon();
    },
    everything: (): void => {
      waiting = 'everything';
      soon();
    },
    stop: (): void => {
      isStopped = true;
      waiting = [];
    },
  };
}
