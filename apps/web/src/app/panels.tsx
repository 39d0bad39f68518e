import { Suspense, lazy, useEffect } from 'react';
import { keepTypedAhead } from '../lib/keys/typed-ahead.ts';
import { showPanel, usePanel } from './panel.ts';
import { useAppKeys } from './use-app-keys.ts';

// Nobody needs them before the first key.
const OpenPanel = lazy(async () => ({ default: (await import('./open-panel.tsx')).OpenPanel }));

/** What lies over every screen, and the keys that call it. */
export function Panels() {
  useAppKeys();
  const panel = usePanel();
  // The palette comes a moment after its key, and the first letters may be faster.
  useEffect(() => (panel === 'palette' ? keepTypedAhead(() => showPanel(null)) : undefined), [panel]);
  return <Suspense>{panel && <OpenPanel panel={panel} />}</Suspense>;
}
