/**
 * Identifies unsaved data in this browser. `owner` identifies the person and organization, `subject` the document, and
 * `session` the tab's editing of it.
 */
export type CopyPlace = { owner: string; subject: string; session: string };
export type SavedCopy<T> = { place: CopyPlace; at: number; value: T };

const PREFIX = 'stet_unsaved/';
const NOBODY: ReadonlySet<string> = new Set();
/** The maximum number of copies in one browser, without those of open sessions. The oldest are evicted first. */
const MAX_COPIES = 12;
/** The maximum length of a copy in characters. Browsers allow about five million in total. */
const MAX_LENGTH = 2_000_000;
const DAYS_30_MS = 30 * 24 * 60 * 60 * 1000;

const keyOf = ({ owner, subject, session }: CopyPlace): string =>
  PREFIX + [owner, subject, session].map(encodeURIComponent).join('/');

function placeOf(key: string): CopyPlace | null {
  if (!key.startsWith(PREFIX)) return null;
  const [owner, subject, session] = key.slice(PREFIX.length).split('/').map(decodeURIComponent);
  return owner !== undefined && subject !== undefined && session !== undefined ? { owner, subject, session } : null;
}

/** Stores unsaved work in the browser. Nothing here throws: if storage is full or unavailable, nothing is saved. */
export function localCopies<T>(storage: () => Storage, read: (value: unknown) => T | null) {
  const attempt = <R>(act: (store: Storage) => R, fallback: R): R => {
    try {
      return act(storage());
    } catch {
      return fallback;
    }
  };
  const parse = (store: Storage, key: string): SavedCopy<T> | null => {
    const place = placeOf(key);
    const found: unknown = place && JSON.parse(store.getItem(key) ?? 'null');
    if (!place || typeof found !== 'object' || found === null || !('at' in found) || !('value' in found)) return null;
    const value = read(found.value);
    return value !== null && typeof found.at === 'number' ? { place, at: found.at, value } : null;
  };
  const keys = (store: Storage): string[] =>
    Array.from({ length: store.length }, (_, index) => store.key(index) ?? '').filter((key) => placeOf(key) !== null);
  const ageOf = (store: Storage, key: string): number =>
    Number(/^\{"at":(\d+)/.exec(store.getItem(key)?.slice(0, 30) ?? '')?.[1] ?? 0);

  /**
   * Evicts copies older than 30 days, and the oldest others to make room for one more. Copies of open sessions stay.
   */
  const sweep = (store: Storage, now: number, own: string, living: ReadonlySet<string>): void => {
    const others = keys(store)
      .filter((key) => key !== own && !living.has(placeOf(key)?.session ?? ''))
      .map((key) => ({ key, at: ageOf(store, key) }))
      .toSorted((left, right) => right.at - left.at);
    for (const { key, at } of others) if (now - at > DAYS_30_MS) store.removeItem(key);
    for (const { key } of others.slice(MAX_COPIES - 1)) store.removeItem(key);
  };

  return {
    /** Stores a value. Returns false if it is too long or couldn't be stored. */
    save: (place: CopyPlace, value: T, now: number, living: ReadonlySet<string> = NOBODY): boolean =>
      attempt((store) => {
        const text = JSON.stringify({ at: now, value });
        if (text.length > MAX_LENGTH) return false;
        sweep(store, now, keyOf(place), living);
        store.setItem(keyOf(place), text);
        return true;
      }, false),
    drop: (place: CopyPlace): void => attempt((store) => store.removeItem(keyOf(place)), undefined),
    /**
     * The owner's newest copy of a subject from another session that isn't in `living`. Null if there is none, or if it
     * is older than 30 days.
     */
    newest: (
      { owner, subject, session }: CopyPlace,
      now: number,
      living: ReadonlySet<string> = NOBODY,
    ): SavedCopy<T> | null =>
      attempt((store) => {
        const found = keys(store).flatMap((key) => {
          const place = placeOf(key);
          if (place?.owner !== owner || place.subject !== subject || place.session === session) return [];
          if (living.has(place.session)) return [];
          const copy = attempt(() => parse(store, key), null);
          return copy && now - copy.at <= DAYS_30_MS ? [copy] : [];
        });
        return found.toSorted((left, right) => right.at - left.at)[0] ?? null;
      }, null),
  };
}
