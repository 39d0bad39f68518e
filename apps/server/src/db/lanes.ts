/** An item that is processed in a batch with other items of its lane. */
type Waiting<Item> = {
  item: Item;
  lane: string;
  /** Items of a lane that share a mark are never processed at the same time. */
  marks: readonly string[];
  /** The sort key within a batch. All processes use the same order to lock records, so that they don't deadlock. */
  order: string;
};

/**
 * Processes a batch. Returns one function per item, which returns the item's result or throws. Calls `isDecided` as
 * soon as the next batch can begin, even though this one isn't finished yet.
 */
type DoTogether<Item> = (items: readonly Item[], isDecided: () => void) => Promise<(() => Promise<unknown>)[]>;

type Queued<Item> = Waiting<Item> & {
  /** The time of arrival, by `performance.now()`. */
  arrivedAt: number;
  resolve: (result: Promise<unknown>) => void;
  reject: (error: unknown) => void;
};

type Lane<Item> = {
  queue: Queued<Item>[];
  /** Marks of the items that are being processed. */
  marks: Set<string>;
  /** True from the beginning of a batch until it is decided, has ended or is slow. */
  isDeciding: boolean;
  /** Number of unfinished batches, without slow ones. */
  open: number;
};

/** Maximum size of a batch. */
const MAX_TOGETHER = 64;
/** Maximum number of open batches of a lane, without slow ones: one is decided while another one is saved. */
const MAX_OPEN = 2;
/** Time in milliseconds after which a batch that isn't decided yet no longer delays the next one. */
const PATIENCE_MS = 300;
/**
 * Time in milliseconds after which a decided batch that isn't saved yet no longer counts as open. Before that, another
 * batch would usually just wait for the same locks.
 */
const SAVING_PATIENCE_MS = 2000;

type LanesOptions = {
  /** Called when a batch begins, with the time in milliseconds that each of its items waited. */
  onBegin?: (waitedMs: readonly number[]) => void;
  /** Maximum number of open batches of all lanes together, without slow ones. */
  maxOpen?: number;
};

/**
 * Returns a function that queues an item in its lane. Lanes process their items in batches. In an idle lane, an item is
 * processed immediately, unless there are `maxOpen` batches in other lanes; lanes that wait take turns. Items that
 * arrive in the meantime form the next batch: at most `MAX_TOGETHER`, those that arrived first, as far as their marks
 * allow. Within it, they are sorted by `order`. A slow batch delays items without its marks only for a limited time.
 */
export function openLanes<Item>(
  doTogether: DoTogether<Item>,
  { onBegin = () => {}, maxOpen = Infinity }: LanesOptions = {},
): (waiting: Waiting<Item>) => Promise<unknown> {
  const lanes = new Map<string, Lane<Item>>();
  // Lanes that may have a next batch, in the order in which they take turns.
  const ready = new Set<string>();
  let open = 0;

  async function finish(batch: readonly Queued<Item>[], isDecided: () => void): Promise<void> {
    try {
      const results = await doTogether(
        batch.map(({ item }) => item),
        isDecided,
      );
      for (const [at, { resolve, reject }] of batch.entries()) {
        const result = results[at];
        if (result) resolve(result());
        else reject(new Error('this work has no result'));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** Begins the lane's next batch as soon as it is the lane's turn. */
  function begin(name: string): void {
    ready.add(name);
    for (const next of ready) {
      if (open >= maxOpen) return;
      ready.delete(next);
      const lane = lanes.get(next);
      if (lane) beginNow(next, lane);
    }
  }

  function beginNow(name: string, lane: Lane<Item>): void {
    if (lane.isDeciding || lane.open >= MAX_OPEN) return;
    const batch = takeBatch(lane);
    if (batch.length === 0) {
      if (lane.queue.length === 0 && lane.marks.size === 0 && lane.open === 0) lanes.delete(name);
      return;
    }
    onBegin(batch.map(({ arrivedAt }) => performance.now() - arrivedAt));
    lane.isDeciding = true;
    lane.open += 1;
    open += 1;
    const marks = batch.flatMap((queued) => queued.marks);
    for (const mark of marks) lane.marks.add(mark);
    const decided = once(() => {
      lane.isDeciding = false;
      begin(name);
    });
    const leave = once(() => {
      lane.open -= 1;
      open -= 1;
      decided();
      begin(name);
    });
    let timer = setTimeout(leave, PATIENCE_MS);
    const onDecided = (): void => {
      clearTimeout(timer);
      timer = setTimeout(leave, SAVING_PATIENCE_MS);
      decided();
    };
    void finish(batch, onDecided).then(() => {
      clearTimeout(timer);
      for (const mark of marks) lane.marks.delete(mark);
      leave();
      begin(name);
    });
  }

  return (waiting) =>
    new Promise((resolve, reject) => {
      const lane = lanes.get(waiting.lane) ?? { queue: [], marks: new Set(), isDeciding: false, open: 0 };
      lanes.set(waiting.lane, lane);
      lane.queue.push({ arrivedAt: performance.now(), resolve, reject, ...waiting });
      begin(waiting.lane);
    });
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}

/**
 * Removes the next batch from the queue. An item stays in the queue if the batch is full, or if it shares a mark with
 * an item that is being processed or with an earlier item.
 */
function takeBatch<Item>(lane: Lane<Item>): Queued<Item>[] {
  const batch: Queued<Item>[] = [];
  const rest: Queued<Item>[] = [];
  const taken = new Set(lane.marks);
  for (const queued of lane.queue) {
    const isFree = batch.length < MAX_TOGETHER && queued.marks.every((mark) => !taken.has(mark));
    (isFree ? batch : rest).push(queued);
    for (const mark of queued.marks) taken.add(mark);
  }
  lane.queue = rest;
  return batch.toSorted((one, other) => (one.order < other.order ? -1 : 1));
}
