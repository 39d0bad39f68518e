const KEY = 'stet_priority_application';

/** The tab's own storage: answers are gone with the tab. Where it is closed or full, they last as long as the page. */
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
