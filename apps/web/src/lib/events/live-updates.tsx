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

/** Opens the live stream while this organization is shown, one per tab, and keeps the queries below it up to date. */
export function LiveUpdates({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const { id: userId, currentOrgId, orgRole } = useUser();
  const [connection] = useState(createLiveConnection);
  // Without an organization there are no events to receive.
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

/** The `refetchInterval` for a query with `meta: liveOn(…)`. It doesn't poll while changes arrive automatically. */
export function usePolling(): number | false {
  return useLiveState().isLive ? false : REFRESH_MS;
}

/**
 * When data was last known to be current, in epoch milliseconds. The live stream announces changes, so loaded data was
 * still current when the stream last sent anything. While data is stale, the time doesn't change.
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

/**
 * The people viewing this run or draft, including the current person. While the component is mounted, the live stream
 * tells the server that this person is a viewer.
 */
export function usePresence(id: string): readonly PersonHere[] {
  const connection = useContext(LiveContext);
  const state = useLiveState();
  useEffect(() => {
    connection?.lookAt(id);
    return () => connection?.lookAt(null);
  }, [connection, id]);
  return state.runId === id ? state.people : NOBODY;
}
