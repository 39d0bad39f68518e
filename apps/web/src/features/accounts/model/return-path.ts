import { safeReturnPath } from '../../../lib/paths.ts';

// Stored for this tab only, never in an address that leaves it.
const KEY = 'stet_return_path';

/** The address to return to after a visit to another site. */
export const returnPath = {
  save: (path: string): void => {
    try {
      window.sessionStorage.setItem(KEY, path);
    } catch {
      // Without storage, the person starts at the default page.
    }
  },
  read: (): string => {
    try {
      return safeReturnPath(window.sessionStorage.getItem(KEY));
    } catch {
      return safeReturnPath(null);
    }
  },
};
