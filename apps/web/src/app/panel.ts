import { useSyncExternalStore } from 'react';

/** An overlay that every signed-in screen can open: the command palette or the list of keyboard shortcuts. */
export type Panel = 'palette' | 'keys';

let shown: Panel | null = null;
const listeners = new Set<() => void>();

export function showPanel(panel: Panel | null): void {
  shown = panel;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const usePanel = (): Panel | null => useSyncExternalStore(subscribe, () => shown);
