import { Suspense, lazy } from 'react';
import { usePanel } from './panel.ts';
import { useAppKeys } from './use-app-keys.ts';

// Nobody needs them before the first key.
const OpenPanel = lazy(async () => ({ default: (await import('./open-panel.tsx')).OpenPanel }));

/** What lies over every screen, and the keys that call it. */
export function Panels() {
  useAppKeys();
  const panel = usePanel();
  return <Suspense>{panel && <OpenPanel panel={panel} />}</Suspense>;
}
