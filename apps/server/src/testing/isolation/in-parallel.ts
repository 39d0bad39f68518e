/** Does something for each of many, a few at a time; in the order of the list where `atOnce` is 1. */
export async function inParallel<T>(all: Iterable<T>, atOnce: number, work: (each: T) => Promise<void>): Promise<void> {
  const rest = all[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
