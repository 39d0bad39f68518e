import { readFilters, writeFilters } from './run-filters.ts';

/** A person's name for filters and an order of the list of runs. `query` is the query that the address contains. */
export type SavedView = { name: string; query: string };

export const VIEW_LIMITS = { name: 60, views: 20 } as const;

/** The views of a person in an organization that are stored in this browser, at most `VIEW_LIMITS.views`. */
export function readViews(key: string): SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.flatMap(viewIn).slice(0, VIEW_LIMITS.views) : [];
  } catch {
    return [];
  }
}

/** Stores the views. Returns false if the browser's storage is full or unavailable. */
export function writeViews(key: string, views: readonly SavedView[]): boolean {
  try {
    if (views.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(views));
    return true;
  } catch {
    return false;
  }
}

/** The views with one more, sorted by name. It replaces a view with the same name. */
export const withView = (views: readonly SavedView[], view: SavedView): SavedView[] =>
  [...views.filter(({ name }) => name !== view.name), view].toSorted((one, other) =>
    one.name.localeCompare(other.name, 'en'),
  );

function viewIn(value: unknown): SavedView[] {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('query' in value)) return [];
  const { name, query } = value;
  if (typeof name !== 'string' || typeof query !== 'string' || name.trim() === '') return [];
  // A filter that no longer exists is ignored, as in an address.
  return [{ name, query: writeFilters(readFilters(new URLSearchParams(query))).toString() }];
}
