const KEY = 'stet_priority_application';

/**
 * Storage of this tab: answers are removed with the tab. If it is unavailable or full, they live as long as the page.
 */
export const answersStore = {
  read(): string | null {
    try {
      return sessionStorage.getItem(KEY);
    } catch {
      return null;
    }
  },
  write(text: string): void {
    try {
      sessionStorage.setItem(KEY, text);
    } catch {
      // Nothing to do: the answers stay on the page.
    }
  },
  clear(): void {
    try {
      sessionStorage.removeItem(KEY);
    } catch {
      // Nothing was kept.
    }
  },
};
