import { REFRESH_MS } from '@stet/domain/defaults';
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

/** Keeps what is shown below up to date while this organization is shown; one stream for the tab. */
export function LiveUpdates({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const { id: userId, currentOrgId, orgRole } = useUser();
  const [connection] = useState(createLiveConnection);
  // Without an organization there is nothing to hear of.
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

/** The `refetchInterval` of a query with `meta: liveOn(…)`: none while changes come by themselves. */
export function usePolling(): number | false {
  return useLiveState().isLive ? false : REFRESH_MS;
}

/** Who looks at this run now, this person included; says that they do, for as long as the component is shown. */
export function usePeopleHere(runId: string): readonly PersonHere[] {
  const connection = useContext(LiveContext);
  const state = useLiveState();
  useEffect(() => {
    connection?.lookAt(runId);
    return () => connection?.lookAt(null);
  }, [connection, runId]);
  return state.runId === runId ? state.people : NOBODY;
}
