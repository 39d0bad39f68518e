/**
 * The current value, and the values that can be undone (at most `LONGEST_PAST`) and redone. Values share their
 * unchanged parts, so that an edit among a thousand steps copies only one array.
 */
export type History<T> = {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  /**
   * The field that the person is typing in. Consecutive changes to it form one undo step. Null if nobody is typing.
   */
  readonly typing: string | null;
};

const LONGEST_PAST = 200;

export const historyOf = <T>(present: T): History<T> => ({ past: [], present, future: [], typing: null });

/** Records a new current value and clears the redo history. An identical value isn't recorded. */
export function record<T>(history: History<T>, present: T, typing: string | null = null): History<T> {
  if (present === history.present) return history;
  if (typing !== null && typing === history.typing) return { ...history, present, future: [] };
  return { past: [...history.past, history.present].slice(-LONGEST_PAST), present, future: [], typing };
}

/** Ends an undo step of typing, so that the next change starts a new one. */
export const endTyping = <T>(history: History<T>): History<T> =>
  history.typing === null ? history : { ...history, typing: null };

/** Changes all values, which isn't an undo step. It also ends an undo step of typing. */
export const mapHistory = <T>({ past, present, future }: History<T>, change: (value: T) => T): History<T> => ({
  past: past.map(change),
  present: change(present),
  future: future.map(change),
  typing: null,
});

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
