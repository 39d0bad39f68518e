/** Runs one piece of work when it is its turn. */
type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** A queue that runs at most `atOnce` pieces of work at a time, first come, first served; one that fails frees its place. */
export function openBoundedQueue(atOnce: number): InTurn {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // The place is handed over, not given back: nobody who comes just now gets in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
