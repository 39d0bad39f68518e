import type { Typed } from '../../../step-types/run/typed.ts';

/** The unsent input in one run, by step. It is stored in this tab, so that it survives a reload or a pause. */
export type TypedInput = {
  read: () => Readonly<Record<string, Typed>>;
  change: (stepId: string, name: string, text: string) => void;
  clear: (stepId: string) => void;
  subscribe: (listener: () => void) => () => void;
};

const PREFIX = 'stet_typed/';

function isTyped(value: unknown): value is Record<string, Typed> {
  const isRecord = (one: unknown): one is object => typeof one === 'object' && one !== null && !Array.isArray(one);
  return (
    isRecord(value) &&
    Object.values(value).every(
      (step) => isRecord(step) && Object.values(step).every((text) => typeof text === 'string'),
    )
  );
}

/**
 * Reads and stores typed input under `place`. If storage is full or unavailable, the input lasts until the page is
 * closed.
 */
export function createTypedInput(place: string, storage: () => Storage): TypedInput {
  const key = PREFIX + place;
  const listeners = new Set<() => void>();
  const load = (): Record<string, Typed> => {
    try {
      const saved: unknown = JSON.parse(storage().getItem(key) ?? '{}');
      return isTyped(saved) ? saved : {};
    } catch {
      return {};
    }
  };
  let all: Readonly<Record<string, Typed>> = load();

  const become = (next: Readonly<Record<string, Typed>>): void => {
    all = next;
    try {
      if (Object.keys(all).length === 0) storage().removeItem(key);
      else storage().setItem(key, JSON.stringify(all));
    } catch {
      // Storing failed, but the input is still on the page.
    }
    for (const listener of listeners) listener();
  };
  const without = (stepId: string) => Object.fromEntries(Object.entries(all).filter(([id]) => id !== stepId));

  return {
    read: () => all,
    change: (stepId, name, text) => {
      const step = Object.entries({ ...all[stepId], [name]: text }).filter(([, value]) => value !== '');
      become(step.length === 0 ? without(stepId) : { ...all, [stepId]: Object.fromEntries(step) });
    },
    clear: (stepId) => {
      if (Object.hasOwn(all, stepId)) become(without(stepId));
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
