import { useSyncExternalStore } from 'react';
import { useUser } from '../../../lib/session/signed-in.ts';
import { createTypedInput, draftKey, removeTypedInput } from '../model/typed-input.ts';
import type { TypedInput } from '../model/typed-input.ts';

const storage = (): Storage => window.localStorage;

// All screens share one object per person and run.
const open = new Map<string, TypedInput>();

if (typeof window !== 'undefined') {
  window.addEventListener('storage', ({ key }) => {
    for (const [place, input] of open) if (key === null || key === draftKey(place)) input.reload();
  });
}

function typedInputAt(place: string): TypedInput {
  const known = open.get(place);
  if (known) return known;
  const made = createTypedInput(place, storage);
  open.set(place, made);
  return made;
}

/** The person's unsent input in this run. */
export function useTypedInput(runId: string) {
  const { id } = useUser();
  const input = typedInputAt(`${id}/${runId}`);
  const all = useSyncExternalStore(input.subscribe, input.read);
  return { all, change: input.change, clear: input.clear };
}

/** Removes all unsent input from this browser when a person signs out. */
export function forgetTypedInput(): void {
  removeTypedInput(storage);
  open.clear();
}
