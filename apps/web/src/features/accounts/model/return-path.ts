import { safeReturnPath } from '../../../lib/paths.ts';

// Of this tab alone, and never a part of an address that leaves it.
const KEY = 'stet_return_path';

/** Where to go on after the way through another site. */
export const returnPath = {
  keep: (path: string): void => {
    try {
      window.sessionStorage.setItem(KEY, path);
    } catch {
      // Without storage one starts at the beginning.
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
