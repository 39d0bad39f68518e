import { Suspense, lazy, useEffect } from 'react';
import { captureTypedAhead } from '../lib/keys/typed-ahead.ts';
import { showPanel, usePanel } from './panel.ts';
import { useAppKeys } from './use-app-keys.ts';

const OpenPanel = lazy(async () => ({ default: (await import('./open-panel.tsx')).OpenPanel }));

/** Renders the overlays and handles the keys that open them. */
export function Panels() {
  useAppKeys();
  const panel = usePanel();
  // The palette is loaded when it first opens. What is typed before its field has the focus is captured.
  useEffect(() => (panel === 'palette' ? captureTypedAhead(() => showPanel(null)) : undefined), [panel]);
  return <Suspense>{panel && <OpenPanel panel={panel} />}</Suspense>;
}
