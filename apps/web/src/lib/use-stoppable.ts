import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

type StoppableOptions<Input> = {
  run: (input: Input, signal: AbortSignal) => Promise<unknown>;
  /** Called when the work has ended: successfully or not, or because the person stopped it. */
  onSettled?: () => unknown;
};

/** Long work, such as an export, that the person can stop. It also stops when the screen closes. */
export function useStoppable<Input>({ run, onSettled }: StoppableOptions<Input>) {
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
    ...(onSettled && { onSettled }),
  });
  return { ...work, stop: () => running.current?.abort() };
}
