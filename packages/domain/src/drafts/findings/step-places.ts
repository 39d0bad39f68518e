import { branchTaken, isBranching, refersTo, type Step } from '../../steps/index.ts';
import { graphOf, topologicalOrder } from '../../workflows/graph.ts';

/**
 * A set of steps: one bit for each id of the list that it was created from. It occupies `words` elements of `bits`,
 * with 32 ids each, from index `at`. Many sets share one array, because thousands of small arrays would be slow.
 */
export type StepSet = { bits: Int32Array; at: number; words: number };

/** The order in which runs reach the steps. All sets are created from the same list of ids. */
export type StepPlaces = {
  /** Returns the steps that every run has passed before it reaches this one. */
  before(stepId: string): StepSet;
  /** Returns the steps from which a path leads to this one. */
  earlier(stepId: string): StepSet;
  /** Returns the steps that can be reached from this one. */
  behind(stepId: string): StepSet;
  /** Returns the steps that can follow a condition's answer. */
  following(stepId: string, answer: boolean): StepSet;
  /** The steps that every run passes, whichever answers its conditions give. */
  certain: StepSet;
  /** Returns whether a run begins with the step. */
  isRoot(stepId: string): boolean;
};

/**
 * Returns whether this step needs a second person's approval: an approval step, or a manual step whose input needs a
 * sign-off.
 */
export const isControl = (step: Step): boolean =>
  step.type === 'approval' || (step.type === 'manual' && step.config.requiresApproval === true);

/** Returns the set of those ids for which `has` is true. */
export function setOf(ids: readonly string[], has: (id: string) => boolean): StepSet {
  const set = emptySet(ids.length);
  ids.forEach((id, bit) => {
    if (has(id)) addBit(set, bit);
  });
  return set;
}

const wordOf = ({ bits, at }: StepSet, word: number): number => bits[at + word] ?? 0;

/** Returns the ids in a set, in the order of the list that it was created from. */
export const idsIn = (set: StepSet, ids: readonly string[]): string[] => idsOf(set, ids, (word) => wordOf(set, word));

/** Returns the ids that are in both sets. */
export const sharedIds = (set: StepSet, other: StepSet, ids: readonly string[]): string[] =>
  idsOf(set, ids, (word) => wordOf(set, word) & wordOf(other, word));

/** Returns the ids among `within` that the first set has and the second lacks. */
export const lostFrom = (set: StepSet, other: StepSet, within: StepSet, ids: readonly string[]): string[] =>
  idsOf(set, ids, (word) => wordOf(set, word) & ~wordOf(other, word) & wordOf(within, word));

function idsOf({ words }: StepSet, ids: readonly string[], bitsOf: (word: number) => number): string[] {
  const found: string[] = [];
  for (let word = 0; word < words; word += 1) {
    for (let bits = bitsOf(word); bits !== 0; bits &= bits - 1) {
      const id = ids[word * 32 + 31 - Math.clz32(bits & -bits)];
      if (id !== undefined) found.push(id);
    }
  }
  return found;
}

/**
 * Computes which steps precede each other, by the same rules as runs. A join waits for all its predecessors, a plain
 * step leads to all its successors, and a condition takes one of its branches. A step therefore precedes another if
 * there is a path from the first to the second, and no choice of branches reaches the second without the first. A
 * rejection can return a run to a step that no branch led to, which counts as another way in. No step precedes a step
 * on or after a cycle.
 *
 * Takes O((steps + edges) × ids / 32) time, repeated while rejections open further ways in.
 * @param ids the steps that the sets cover, so that two workflows can be compared
 */
export function stepPlaces(steps: readonly Step[], ids: readonly string[]): StepPlaces {
  const paths = pathsOf(steps, ids);
  const { ahead, behind, unavoidable } = stepsAhead(paths);
  const earlier = stepsPassed(paths);
  const avoided = stepsAvoided(paths, unavoidable);
  // A step precedes another if it is on a path to it and can't be avoided. The result reuses the memory of `avoided`.
  const before = avoided;
  for (let word = 0; word < before.bits.length; word += 1) {
    before.bits[word] = (earlier.bits[word] ?? 0) & ~(avoided.bits[word] ?? 0);
  }
  const roots = new Set(paths.roots);
  const none = emptySet(ids.length);
  const union = (table: Table, rows: readonly number[]): StepSet => {
    const set = emptySet(ids.length);
    for (const row of rows) addAll(set, rowIn(table, row));
    return set;
  };
  const setIn = (table: Table, id: string): StepSet => {
    const row = paths.rowOf(id);
    return row === undefined ? none : rowIn(table, row);
  };
  return {
    before: (id) => setIn(before, id),
    earlier: (id) => setIn(earlier, id),
    behind: (id) => setIn(behind, id),
    following: (id, answer) => {
      const [onTrue = [], onFalse = onTrue] = paths.branches[paths.rowOf(id) ?? -1] ?? [];
      return union(ahead, answer ? onTrue : onFalse);
    },
    certain: union(unavoidable, paths.roots),
    isRoot: (id) => roots.has(paths.rowOf(id) ?? -1),
  };
}

/** A graph by row numbers, which are faster than ids. */
type Paths = {
  rowOf(id: string): number | undefined;
  roots: readonly number[];
  /** The rows, each after all its predecessors. Rows on or after a cycle are missing. */
  order: readonly number[];
  next: readonly (readonly number[])[];
  previous: readonly (readonly number[])[];
  /** The successors that activate together, one list for each possible decision. */
  branches: readonly (readonly (readonly number[])[])[];
  /** The approvals whose rejection returns the run to an earlier step (`to`). */
  returns: readonly { from: number; to: number }[];
  /** The bit of each row in the sets; undefined if they don't cover it. */
  bits: readonly (number | undefined)[];
  /** A table with an empty set for each row. */
  table: () => Table;
};

function pathsOf(steps: readonly Step[], ids: readonly string[]): Paths {
  const graph = graphOf(steps);
  // As in the graph, the first of two steps with the same id counts.
  const stepOf = new Map(steps.toReversed().map((step) => [step.id, step]));
  const rows = new Map(graph.ids.map((id, row) => [id, row]));
  const rowsOf = (list: readonly string[]): number[] => {
    const found: number[] = [];
    for (const id of list) {
      const row = rows.get(id);
      if (row !== undefined) found.push(row);
    }
    return found;
  };
  const bitOf = new Map(ids.map((id, bit) => [id, bit]));
  return {
    rowOf: (id) => rows.get(id),
    roots: rowsOf(graph.roots),
    order: rowsOf(topologicalOrder(graph)),
    next: graph.ids.map((id) => rowsOf(graph.next(id))),
    previous: graph.ids.map((id) => rowsOf(graph.previous(id))),
    branches: graph.ids.map((id) => branchesOf(stepOf.get(id), graph.next(id)).map(rowsOf)),
    returns: [...stepOf.values()].flatMap((step) => {
      const targets = refersTo(step).filter(({ names }) => names === 'earlier');
      const [from] = targets.length > 0 ? rowsOf([step.id]) : [];
      return from === undefined ? [] : rowsOf(targets.map(({ target }) => target)).map((to) => ({ from, to }));
    }),
    bits: graph.ids.map((id) => bitOf.get(id)),
    table: () => {
      const words = Math.ceil(ids.length / 32);
      return { bits: new Int32Array(graph.ids.length * words), words };
    },
  };
}

function branchesOf(step: Step | undefined, next: readonly string[]): (readonly string[])[] {
  if (step === undefined || !isBranching(step)) return [next];
  return [true, false].map((answer) => branchTaken(step, answer).filter((id) => next.includes(id)));
}

/**
 * Returns three sets for each row. `ahead`: the step itself and all steps reachable from it. `behind`: only the steps
 * reachable from it. `unavoidable`: the step itself and the steps that every choice of branches activates.
 */
function stepsAhead({ order, next, branches, bits, table }: Paths) {
  const [ahead, behind, unavoidable] = [table(), table(), table()];
  const other: StepSet = { bits: new Int32Array(ahead.words), at: 0, words: ahead.words };
  for (const row of order.toReversed()) {
    for (const after of next[row] ?? []) addAll(rowIn(behind, row), rowIn(ahead, after));
    addAll(rowIn(ahead, row), rowIn(behind, row));
    const certain = rowIn(unavoidable, row);
    const [first = [], second] = branches[row] ?? [];
    for (const after of first) addAll(certain, rowIn(unavoidable, after));
    if (second) {
      other.bits.fill(0);
      for (const after of second) addAll(other, rowIn(unavoidable, after));
      for (let word = 0; word < certain.words; word += 1) {
        certain.bits[certain.at + word] = wordOf(certain, word) & wordOf(other, word);
      }
    }
    addBit(rowIn(ahead, row), bits[row]);
    addBit(certain, bits[row]);
  }
  return { ahead, behind, unavoidable };
}

/** Returns, for each row, the steps on some path to it. */
function stepsPassed({ order, previous, bits, table }: Paths): Table {
  const earlier = table();
  for (const row of order) {
    for (const before of previous[row] ?? []) {
      addAll(rowIn(earlier, row), rowIn(earlier, before));
      addBit(rowIn(earlier, row), bits[before]);
    }
  }
  return earlier;
}

/** Returns, for each row, the steps that a run doesn't have to pass before it reaches the row. */
function stepsAvoided({ order, roots, branches, returns, table }: Paths, unavoidable: Table): Table {
  const avoided = table();
  const { words } = avoided;
  const certainStart: StepSet = { bits: new Int32Array(words), at: 0, words };
  for (const root of roots) addAll(certainStart, rowIn(unavoidable, root));
  for (const root of roots) {
    for (let word = 0; word < words; word += 1) avoided.bits[root * words + word] = ~wordOf(certainStart, word);
  }
  const onward: StepSet = { bits: new Int32Array(words), at: 0, words };
  const startFrom = (row: number) => onward.bits.set(avoided.bits.subarray(row * words, (row + 1) * words));
  let isLarger: boolean;
  do {
    for (const row of order) {
      const decisions = branches[row] ?? [];
      for (const branch of decisions) {
        startFrom(row);
        // A run that takes this branch passes its unavoidable steps. If it is the only branch, the step's own set
        // already excludes them.
        if (decisions.length > 1) for (const next of branch) removeAll(onward, rowIn(unavoidable, next));
        for (const next of branch) addAll(rowIn(avoided, next), onward);
      }
    }
    isLarger = false;
    for (const { from, to } of returns) {
      startFrom(from);
      removeAll(onward, rowIn(unavoidable, to));
      if (addAll(rowIn(avoided, to), onward)) isLarger = true;
    }
  } while (isLarger);
  return avoided;
}

/** One set for each row. */
type Table = { bits: Int32Array; words: number };

const rowIn = ({ bits, words }: Table, row: number): StepSet => ({ bits, at: row * words, words });

function emptySet(ids: number): StepSet {
  const words = Math.ceil(ids / 32);
  return { bits: new Int32Array(words), at: 0, words };
}

function addBit({ bits, at }: StepSet, bit: number | undefined): void {
  if (bit === undefined) return;
  const word = at + (bit >>> 5);
  bits[word] = (bits[word] ?? 0) | (1 << (bit & 31));
}

/** Adds the other set to this one; returns true if this one grew. */
function addAll(set: StepSet, other: StepSet): boolean {
  let isLarger = false;
  for (let word = 0; word < set.words; word += 1) {
    const before = wordOf(set, word);
    const after = before | wordOf(other, word);
    if (after === before) continue;
    isLarger = true;
    set.bits[set.at + word] = after;
  }
  return isLarger;
}

function removeAll(set: StepSet, other: StepSet): void {
  for (let word = 0; word < set.words; word += 1) {
    set.bits[set.at + word] = wordOf(set, word) & ~wordOf(other, word);
  }
}
