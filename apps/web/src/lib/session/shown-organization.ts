// The organization that this tab shows goes with each call: what was meant for one must never reach another that was
// selected somewhere else meanwhile.
let shown: string | null = null;
const listeners = new Set<() => void>();

export const shownOrganization = {
  id: (): string | null => shown,
  set: (id: string | null): void => {
    shown = id;
  },
  /** The server says that another one is selected by now. */
  hasMoved: (): void => {
    for (const listener of listeners) listener();
  },
  /** Answers what ends it. */
  onMoved: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
