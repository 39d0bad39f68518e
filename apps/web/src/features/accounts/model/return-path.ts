import { safeReturnPath } from '../../../lib/paths.ts';

// The path is stored in this tab only and is never sent to the other site.
const KEY = 'stet_return_path';

/** The page to return to after visiting another site. */
export const returnPath = {
  save: (path: string): void => {
    try {
      window.sessionStorage.setItem(KEY, path);
    } catch {
      // If storage is unavailable, the person arrives at the default page.
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
