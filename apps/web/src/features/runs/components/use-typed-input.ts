import { useSyncExternalStore } from 'react';
import { useUser } from '../../../lib/session/signed-in.ts';
import { createTypedInput } from '../model/typed-input.ts';
import type { TypedInput } from '../model/typed-input.ts';

// All screens share one object per person and run.
const open = new Map<string, TypedInput>();

function typedInputAt(place: string): TypedInput {
  const known = open.get(place);
  if (known) return known;
  const made = createTypedInput(place, () => sessionStorage);
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
