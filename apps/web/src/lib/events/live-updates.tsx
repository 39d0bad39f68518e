import { REFRESH_MS } from '@stet/presentation/constants';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { useUser } from '../session/signed-in.ts';
import { ME_KEY } from '../session/use-me.ts';
import { createLiveConnection } from './live-connection.ts';
import type { LiveConnection, LiveState, PersonHere } from './live-connection.ts';
import { gatherRefetches } from './refetch-gathered.ts';

const OFFLINE: LiveState = { isLive: false, runId: null, people: [] };
const NOBODY: readonly PersonHere[] = [];
const LiveContext = createContext<LiveConnection | null>(null);

/** Keeps its children's data up to date while this organization is shown; one stream per tab. */
export function LiveUpdates({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const { id: userId, currentOrgId, orgRole } = useUser();
  const [connection] = useState(createLiveConnection);
  // Without an organization there are no events.
  const canListen = currentOrgId !== null && orgRole !== null;
  useEffect(() => {
    if (!canListen) return undefined;
    const refetches = gatherRefetches(queryClient);
    const askWhoIAm = () => void queryClient.invalidateQueries({ queryKey: ME_KEY });
    connection.start({
      onChanged: (change) => {
        if (change.subject === 'user' && change.id === userId) askWhoIAm();
        refetches.changed(change);
      },
      onMissed: refetches.everything,
      onEnded: askWhoIAm,
    });
    return () => {
      connection.stop();
      refetches.stop();
    };
  }, [connection, queryClient, userId, currentOrgId, canListen]);
  return <LiveContext value={connection}>{children}</LiveContext>;
}

const never = () => () => undefined;

function useLiveState(): LiveState {
  const connection = useContext(LiveContext);
  return useSyncExternalStore(connection?.subscribe ?? never, () => connection?.state() ?? OFFLINE);
}

/** The `refetchInterval` of a query with `meta: liveOn(…)`: none while changes arrive automatically. */
export function usePolling(): number | false {
  return useLiveState().isLive ? false : REFRESH_MS;
}

/**
 * When data was last known to be current, in epoch milliseconds: when it was loaded, or when the live stream, which
 * announces every change, last sent something. While data is stale, the time stays.
 * @param loadedAt 0 before the first load
 */
export function useCurrentAt({ loadedAt, isStale }: { loadedAt: number; isStale: boolean }): number {
  const connection = useContext(LiveContext);
  const receivedAt = useSyncExternalStore(connection?.subscribe ?? never, () => connection?.receivedAt() ?? 0);
  const [known, setKnown] = useState(0);
  const currentAt = loadedAt === 0 || isStale ? known : Math.max(loadedAt, receivedAt);
  if (currentAt > known) setKnown(currentAt);
  return currentAt;
}

/** The people viewing this run, including this person, who is announced while the component is mounted. */
export function usePresence(runId: string): readonly PersonHere[] {
  const connection = useContext(LiveContext);
  const state = useLiveState();
  useEffect(() => {
    connection?.lookAt(runId);
    return () => connection?.lookAt(null);
  }, [connection, runId]);
  return state.runId === runId ? state.people : NOBODY;
}
