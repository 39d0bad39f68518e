/**
 * Lets only so many of one kind of work go on at the same time in this process; the others wait in the order in which they
 * came. A document is large while it is made, so it is its number that bounds the memory.
 */
export function inTurn(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async (work) => {
    if (underWay < atOnce) underWay += 1;
    else await new Promise<void>((myTurn) => waiting.push(myTurn));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else underWay -= 1;
    }
  };
}
