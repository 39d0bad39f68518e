// Each call sends the organization that this tab shows, so that it never affects another one that was selected
// elsewhere in the meantime.
let shown: string | null = null;
const listeners = new Set<() => void>();

export const shownOrganization = {
  id: (): string | null => shown,
  set: (id: string | null): void => {
    shown = id;
  },
  /** The server reported that another one is selected now. */
  hasMoved: (): void => {
    for (const listener of listeners) listener();
  },
  /** Returns a function that stops it. */
  onMoved: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
