/** A place in this browser for what isn't saved yet: `owner` is who and where, `subject` what it belongs to. */
export type CopyPlace = { owner: string; subject: string; session: string };
export type KeptCopy<T> = { place: CopyPlace; at: number; value: T };

const PREFIX = 'stet_unsaved/';
const NOBODY: ReadonlySet<string> = new Set();
/** Copies in one browser at most; the oldest go first. */
const MOST = 12;
/** Characters of one copy at most: browsers give some five million to everything together. */
const LONGEST = 2_000_000;
const DAYS_30_MS = 30 * 24 * 60 * 60 * 1000;

const keyOf = ({ owner, subject, session }: CopyPlace): string =>
  PREFIX + [owner, subject, session].map(encodeURIComponent).join('/');

function placeOf(key: string): CopyPlace | null {
  if (!key.startsWith(PREFIX)) return null;
  const [owner, subject, session] = key.slice(PREFIX.length).split('/').map(decodeURIComponent);
  return owner !== undefined && subject !== undefined && session !== undefined ? { owner, subject, session } : null;
}

/** Unsaved work kept in a browser's storage. Nothing here throws: where storage is full or closed, nothing is kept. */
export function localCopies<T>(storage: () => Storage, read: (value: unknown) => T | null) {
  const attempt = <R>(act: (kept: Storage) => R, fallback: R): R => {
    try {
      return act(storage());
    } catch {
      return fallback;
    }
  };
  const parse = (kept: Storage, key: string): KeptCopy<T> | null => {
    const place = placeOf(key);
    const found: unknown = place && JSON.parse(kept.getItem(key) ?? 'null');
    if (!place || typeof found !== 'object' || found === null || !('at' in found) || !('value' in found)) return null;
    const value = read(found.value);
    return value !== null && typeof found.at === 'number' ? { place, at: found.at, value } : null;
  };
  const keys = (kept: Storage): string[] =>
    Array.from({ length: kept.length }, (_, index) => kept.key(index) ?? '').filter((key) => placeOf(key) !== null);
  const ageOf = (kept: Storage, key: string): number =>
    Number(/^\{"at":(\d+)/.exec(kept.getItem(key)?.slice(0, 30) ?? '')?.[1] ?? 0);

  /** Room for one more, by the age of what is there. What belongs to a session that is alive stays. */
  const sweep = (kept: Storage, now: number, own: string, living: ReadonlySet<string>): void => {
    const others = keys(kept)
      .filter((key) => key !== own && !living.has(placeOf(key)?.session ?? ''))
      .map((key) => ({ key, at: ageOf(kept, key) }))
      .toSorted((left, right) => right.at - left.at);
    for (const { key, at } of others) if (now - at > DAYS_30_MS) kept.removeItem(key);
    for (const { key } of others.slice(MOST - 1)) kept.removeItem(key);
  };

  return {
    /** Keeps a value in its place; false where that wasn't possible. */
    keep: (place: CopyPlace, value: T, now: number, living: ReadonlySet<string> = NOBODY): boolean =>
      attempt((kept) => {
        const text = JSON.stringify({ at: now, value });
        if (text.length > LONGEST) return false;
        sweep(kept, now, keyOf(place), living);
        kept.setItem(keyOf(place), text);
        return true;
      }, false),
    drop: (place: CopyPlace): void => attempt((kept) => kept.removeItem(keyOf(place)), undefined),
    /** The newest copy of a subject that another session left behind, one that isn't alive; null where there is none. */
    newest: (
      { owner, subject, session }: CopyPlace,
      now: number,
      living: ReadonlySet<string> = NOBODY,
    ): KeptCopy<T> | null =>
      attempt((kept) => {
        const found = keys(kept).flatMap((key) => {
          const place = placeOf(key);
          if (place?.owner !== owner || place.subject !== subject || place.session === session) return [];
          if (living.has(place.session)) return [];
          const copy = attempt(() => parse(kept, key), null);
          return copy && now - copy.at <= DAYS_30_MS ? [copy] : [];
        });
        return found.toSorted((left, right) => right.at - left.at)[0] ?? null;
      }, null),
  };
}
