import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

type StoppableOptions<Input> = {
  run: (input: Input, signal: AbortSignal) => Promise<unknown>;
  onSuccess?: () => unknown;
};

/** Long work, such as an export, that the person can stop. It also stops when the screen closes. */
export function useStoppable<Input>({ run, onSuccess }: StoppableOptions<Input>) {
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const work = useMutation({
    mutationFn: async (input: Input) => {
      const { signal } = (running.current = new AbortController());
      try {
        await run(input, signal);
      } catch (error) {
        // Work that was stopped hasn't failed.
        if (!signal.aborted) throw error;
      }
    },
    ...(onSuccess && { onSuccess }),
  });
  return { ...work, stop: () => running.current?.abort() };
}
