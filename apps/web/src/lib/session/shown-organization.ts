// Each call sends the organization that this tab shows. Otherwise a call could change a different organization, if one
// was selected elsewhere.
let shown: string | null = null;
const listeners = new Set<() => void>();

export const shownOrganization = {
  id: (): string | null => shown,
  set: (id: string | null): void => {
    shown = id;
  },
  /** Notifies the listeners that the server reported a different selected organization, or that the selected one ends. */
  hasMoved: (): void => {
    for (const listener of listeners) listener();
  },
  /** Calls back after each `hasMoved`. Returns a function that stops listening. */
  onMoved: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
