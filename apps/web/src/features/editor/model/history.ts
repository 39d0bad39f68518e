/** Snapshots before and after the present one. Values are shared, never copied: a thousand steps cost one array an edit. */
export type History<T> = {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  /** While typing goes on in one field its letters are one entry; null once it has ended. */
  readonly typing: string | null;
};

const LONGEST_PAST = 200;

export const historyOf = <T>(present: T): History<T> => ({ past: [], present, future: [], typing: null });

/** Records a new present. What could be redone is gone. An identical value is no entry. */
export function record<T>(history: History<T>, present: T, typing: string | null = null): History<T> {
  if (present === history.present) return history;
  if (typing !== null && typing === history.typing) return { ...history, present, future: [] };
  return { past: [...history.past, history.present].slice(-LONGEST_PAST), present, future: [], typing };
}

/** Ends a run of typing: the next letter is an entry of its own. */
export const endTyping = <T>(history: History<T>): History<T> =>
  history.typing === null ? history : { ...history, typing: null };

export function undo<T>(history: History<T>): History<T> {
  const previous = history.past.at(-1);
  if (previous === undefined) return history;
  return {
    past: history.past.slice(0, -1),
    present: previous,
    future: [history.present, ...history.future],
    typing: null,
  };
}

export function redo<T>(history: History<T>): History<T> {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future, typing: null };
}
