/** Something to do together with others of its lane. */
type Waiting<Item> = {
  item: Item;
  lane: string;
  /** Two items with the same mark are never done together. */
  marks: readonly string[];
  /** Items that are done together are sorted by this text, so that all processes lock records in the same order. */
  order: string;
};

/** Does the items together. Returns a function for each, which returns its result or throws. */
type DoTogether<Item> = (items: readonly Item[]) => Promise<(() => Promise<unknown>)[]>;

type Queued<Item> = Waiting<Item> & { resolve: (result: Promise<unknown>) => void; reject: (error: unknown) => void };

/** How many items are done together at most. */
const MAX_TOGETHER = 64;
/** How long others wait for the items that are being done, in milliseconds. */
const PATIENCE_MS = 300;

/**
 * Queues items by lane. An item of an idle lane is done immediately. Items that arrive while others of their lane are
 * being done wait, and are then done together, in the order of their arrival as far as their marks allow. They don't wait
 * long: if something slow is being done, the next ones are done at the same time.
 */
export function openLanes<Item>(doTogether: DoTogether<Item>): (waiting: Waiting<Item>) => Promise<unknown> {
  const lanes = new Map<string, Queued<Item>[]>();

  async function finish(batch: readonly Queued<Item>[]): Promise<void> {
    try {
      const results = await doTogether(batch.map(({ item }) => item));
      for (const [at, { resolve, reject }] of batch.entries()) {
        const result = results[at];
        if (result) resolve(result());
        else reject(new Error('this work has no result'));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function serve(lane: string, queue: Queued<Item>[]): Promise<void> {
    while (queue.length > 0) {
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)));
      await Promise.race([finish(takeBatch(queue)), patience]);
      clearTimeout(timer);
    }
    lanes.delete(lane);
  }

  return (waiting) =>
    new Promise((resolve, reject) => {
      const queued = { ...waiting, resolve, reject };
      const queue = lanes.get(waiting.lane);
      if (queue) {
        queue.push(queued);
        return;
      }
      const started = [queued];
      lanes.set(waiting.lane, started);
      void serve(waiting.lane, started);
    });
}

/** Removes the next batch from the queue. Items with the marks of an earlier one stay, and so do all later ones like them. */
function takeBatch<Item>(queue: Queued<Item>[]): Queued<Item>[] {
  const batch: Queued<Item>[] = [];
  const rest: Queued<Item>[] = [];
  const taken = new Set<string>();
  for (const queued of queue.splice(0)) {
    const isFree = batch.length < MAX_TOGETHER && queued.marks.every((mark) => !taken.has(mark));
    (isFree ? batch : rest).push(queued);
    for (const mark of queued.marks) taken.add(mark);
  }
  queue.push(...rest);
  return batch.toSorted((one, other) => (one.order < other.order ? -1 : 1));
}
