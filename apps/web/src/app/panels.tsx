import { Suspense, lazy, useEffect } from 'react';
import { captureTypedAhead } from '../lib/keys/typed-ahead.ts';
import { showPanel, usePanel } from './panel.ts';
import { useAppKeys } from './use-app-keys.ts';

// Loaded on demand.
const OpenPanel = lazy(async () => ({ default: (await import('./open-panel.tsx')).OpenPanel }));

/** The overlays of every screen, and the keys that open them. */
export function Panels() {
  useAppKeys();
  const panel = usePanel();
  // The palette loads after its key is pressed; letters typed before that are kept.
  useEffect(() => (panel === 'palette' ? captureTypedAhead(() => showPanel(null)) : undefined), [panel]);
  return <Suspense>{panel && <OpenPanel panel={panel} />}</Suspense>;
}
