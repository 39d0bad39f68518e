import { useQueryClient } from '@tanstack/react-query';
import { Suspense, lazy, useEffect, useLayoutEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { LiveUpdates } from '../lib/events/live-updates.tsx';
import { SignedInContext } from '../lib/session/signed-in.ts';
import { onSwitchElsewhere } from '../lib/session/selected-organization.ts';
import { shownOrganization } from '../lib/session/shown-organization.ts';
import type { Me } from '../lib/session/use-me.ts';
import { ME_KEY } from '../lib/session/use-me.ts';
import { readSwitchRequest } from './organization-request.ts';
import { LeaveOrganizationBehind, SwitchingOrganization } from './switching-organization.tsx';
import { Shell } from './shell.tsx';

type Known = Extract<Me, { state: 'known' }>;

// Loaded on demand, because the organization rarely changes while a tab is open.
const MovedElsewhere = lazy(async () => ({ default: (await import('./moved-elsewhere.tsx')).MovedElsewhere }));

/** `here`: the tab shows one organization. `leaving`: it removes all data of that organization before it shows the next. */
type Tab = { at: 'here' } | { at: 'leaving'; to: string | null };

/**
 * The selected organization is stored on the server, so another tab or device can change it. This tab shows one
 * organization at a time. When it switches, it removes the previous organization's data from the screen and the cache.
 */
export function OrganizationOfTab({ me }: { me: Known }) {
  const queryClient = useQueryClient();
  const location = useLocation();
  const [tab, setTab] = useState<Tab>({ at: 'here' });
  const [shown, setShown] = useState(me.source === 'server' ? me.user : null);
  useEffect(() => {
    const askAgain = () => void queryClient.invalidateQueries({ queryKey: ME_KEY });
    const ends = [onSwitchElsewhere(askAgain), shownOrganization.onMoved(askAgain)];
    return () => {
      for (const end of ends) end();
    };
  }, [queryClient]);

  const hasMoved = me.source === 'server' && shown !== null && shown.currentOrgId !== me.user.currentOrgId;
  if (me.source === 'server' && !hasMoved && shown !== me.user) setShown(me.user);

  const shownId = shown?.currentOrgId ?? null;
  // The organization must be set before the content's effects run, because they send requests.
  useLayoutEffect(() => {
    shownOrganization.set(shownId);
    return () => shownOrganization.set(null);
  }, [shownId]);

  const leaveFor = (to: string | null) => setTab({ at: 'leaving', to });
  if (tab.at === 'leaving') {
    const arrive = () => {
      setShown(me.user);
      setTab({ at: 'here' });
    };
    return <LeaveOrganizationBehind ready={me.user.currentOrgId === tab.to} onDone={arrive} />;
  }
  const wanted = readSwitchRequest(location.state);
  if (wanted !== null) return <SwitchingOrganization to={wanted} user={me.user} onSwitched={leaveFor} />;
  return (
    <SignedInContext value={hasMoved ? { ...me, user: shown } : me}>
      <LiveUpdates>
        <Shell onRetry={me.retry} />
      </LiveUpdates>
      {hasMoved && (
        <Suspense>
          <MovedElsewhere
            key={me.user.currentOrgId}
            from={shown}
            to={me.user}
            onLeave={() => leaveFor(me.user.currentOrgId)}
          />
        </Suspense>
      )}
    </SignedInContext>
  );
}
