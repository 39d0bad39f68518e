import type { RunStep } from '@stet/contract';
import type { Typed } from '../../../step-types/run/typed.ts';

/**
 * A person's unsent input for a step. `activation` is the time at which the step became active, and identifies that
 * activation.
 */
export type StepDraft = { activation: string; texts: Typed };
export type StepDrafts = Readonly<Record<string, StepDraft>>;

/**
 * A person's unsent input in one run, by step. It is stored in this browser and shared by all tabs. It survives a
 * reload, a pause and a lost connection.
 */
export type TypedInput = {
  read: () => StepDrafts;
  change: (step: DraftedStep, name: string, text: string) => void;
  clear: (stepId: string) => void;
  /** Reads the stored input again, because another tab may have changed it. */
  reload: () => void;
  subscribe: (listener: () => void) => () => void;
};

type DraftedStep = Pick<RunStep, 'id' | 'activatedAt'>;

const PREFIX = 'stet_typed/';
const activationOf = ({ activatedAt }: DraftedStep): string => activatedAt ?? '';

export const draftKey = (place: string): string => PREFIX + place;

/** The texts for a step's current activation. A step that became active again starts with an empty form. */
export const textsOf = (drafts: StepDrafts, step: DraftedStep): Typed => {
  const draft = drafts[step.id];
  return draft?.activation === activationOf(step) ? draft.texts : {};
};

const isRecord = (one: unknown): one is Record<string, unknown> =>
  typeof one === 'object' && one !== null && !Array.isArray(one);

function areDrafts(value: unknown): value is Record<string, StepDraft> {
  return (
    isRecord(value) &&
    Object.values(value).every(
      (draft) =>
        isRecord(draft) &&
        typeof draft['activation'] === 'string' &&
        isRecord(draft['texts']) &&
        Object.values(draft['texts']).every((text) => typeof text === 'string'),
    )
  );
}

/**
 * Reads and stores typed input under `place`. If storage is full or unavailable, the input lasts until the page is
 * closed.
 */
export function createTypedInput(place: string, storage: () => Storage): TypedInput {
  const key = draftKey(place);
  const listeners = new Set<() => void>();
  const load = (otherwise: StepDrafts): StepDrafts => {
    try {
      const saved: unknown = JSON.parse(storage().getItem(key) ?? '{}');
      return areDrafts(saved) ? saved : {};
    } catch {
      return otherwise;
    }
  };
  let all = load({});

  const show = (next: StepDrafts): void => {
    all = next;
    for (const listener of listeners) listener();
  };
  const become = (next: StepDrafts): void => {
    try {
      if (Object.keys(next).length === 0) storage().removeItem(key);
      else storage().setItem(key, JSON.stringify(next));
    } catch {
      // Storing failed, but the input is still on the page.
    }
    show(next);
  };
  const without = (stepId: string) => Object.fromEntries(Object.entries(all).filter(([id]) => id !== stepId));

  return {
    read: () => all,
    change: (step, name, text) => {
      const texts = Object.entries({ ...textsOf(all, step), [name]: text }).filter(([, value]) => value !== '');
      const draft = { activation: activationOf(step), texts: Object.fromEntries(texts) };
      become(texts.length === 0 ? without(step.id) : { ...all, [step.id]: draft });
    },
    clear: (stepId) => {
      if (Object.hasOwn(all, stepId)) become(without(stepId));
    },
    reload: () => show(load(all)),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Removes all unsent input from this browser. */
export function removeTypedInput(storage: () => Storage): void {
  try {
    const store = storage();
    const keys = Array.from({ length: store.length }, (_, index) => store.key(index) ?? '');
    for (const key of keys) if (key.startsWith(PREFIX)) store.removeItem(key);
  } catch {
    // Without storage, nothing is stored.
  }
}
