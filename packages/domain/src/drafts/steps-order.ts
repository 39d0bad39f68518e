/** Anything with an id that is unique in its list. */
export type Identified = { id: string };

/**
 * Returns the ids of the common items that changed their place: the smallest set whose removal leaves the others in the
 * same order. Moving one step past fifty is one move, not fifty.
 */
export function movedIds(before: readonly Identified[], after: readonly Identified[]): Set<string> {
  const placeAfter = new Map(after.map((item, index) => [item.id, index]));
  const common = before.flatMap(({ id }) => {
    const place = placeAfter.get(id);
    return place === undefined ? [] : [{ id, place }];
  });
  const staying = longestIncreasingSubsequence(common.map(({ place }) => place));
  return new Set(common.filter((_, index) => !staying.has(index)).map(({ id }) => id));
}

/** Returns the indexes of one longest increasing subsequence, by patience sorting in O(n log n). */
function longestIncreasingSubsequence(values: readonly number[]): Set<number> {
  const tails: number[] = [];
  const previous: (number | undefined)[] = [];
  values.forEach((value, index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (at(values, at(tails, middle)) < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? undefined : tails[low - 1];
    tails[low] = index;
  });
  const longest = new Set<number>();
  for (let index = tails.at(-1); index !== undefined; index = previous[index]) longest.add(index);
  return longest;
}

function at(list: readonly number[], index: number): number {
  const value = list[index];
  if (value === undefined) throw new RangeError(`index ${index} is out of range`);
  return value;
}

/**
 * Merges both lists in document order: the order of `after`, with each removed item after its nearest remaining
 * predecessor. If an id is in both, the item comes from `after`.
 */
export function inDocumentOrder<Item extends Identified>(before: readonly Item[], after: readonly Item[]): Item[] {
  const stays = new Set(after.map(({ id }) => id));
  const removedBehind = new Map<string | null, Item[]>();
  let anchor: string | null = null;
  for (const item of before) {
    if (stays.has(item.id)) {
      anchor = item.id;
    } else {
      const removed = removedBehind.get(anchor);
      if (removed === undefined) removedBehind.set(anchor, [item]);
      else removed.push(item);
    }
  }
  return [
    ...(removedBehind.get(null) ?? []),
    ...after.flatMap((item) => [item, ...(removedBehind.get(item.id) ?? [])]),
  ];
}

/**
 * Returns, for each removed item, the id of its nearest remaining predecessor, or null if there is none. A caller that
 * has only `after` can use it to find the item's place in `inDocumentOrder`.
 */
export function removedBehind(before: readonly Identified[], after: readonly Identified[]): Map<string, string | null> {
  const stays = new Set(after.map(({ id }) => id));
  const anchors = new Map<string, string | null>();
  let anchor: string | null = null;
  for (const { id } of before) {
    if (stays.has(id)) anchor = id;
    else anchors.set(id, anchor);
  }
  return anchors;
}

/**
 * Returns the ids of the steps whose `next` only repeats the list order: the following step, or nothing for the last.
 * Such a `next` changes with every step that is added, removed or moved, so it is not a separate change.
 */
export function followsOrder(steps: readonly (Identified & { next: readonly string[] })[]): Set<string> {
  const following = new Set<string>();
  steps.forEach(({ id, next }, index) => {
    const nextRow = steps[index + 1];
    const plain = nextRow === undefined ? next.length === 0 : next.length === 1 && next[0] === nextRow.id;
    if (plain) following.add(id);
  });
  return following;
}
