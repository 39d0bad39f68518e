const KEY = 'stet_priority_application';

/**
 * Stores answers in this tab, so they are removed when it is closed. If storage is full or unavailable, they last until
 * the page is closed.
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
      // The answers stay on the page.
    }
  },
  clear(): void {
    try {
      sessionStorage.removeItem(KEY);
    } catch {
      // There is nothing to remove.
    }
  },
};
