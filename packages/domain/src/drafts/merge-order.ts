/** The merged order. If both sides changed it differently, also the three orders of the common steps. */
type MergedOrder = {
  ids: string[];
  conflict: { base: string[]; live: string[]; draft: string[] } | null;
};

/**
 * Merges the order of two lists with a common base. The side that moved steps decides the order. If both moved steps
 * differently, that is a conflict, and the draft's order applies. Steps that exist only on the other side stay after
 * their predecessor on that side.
 */
export function mergeOrder(
  base: readonly string[],
  live: readonly string[],
  draft: readonly string[],
  surviving: ReadonlySet<string>,
): MergedOrder {
  const [inBase, inLive, inDraft] = [new Set(base), new Set(live), new Set(draft)];
  const shared = (id: string) => surviving.has(id) && inBase.has(id) && inLive.has(id) && inDraft.has(id);
  const orders = { base: base.filter(shared), live: live.filter(shared), draft: draft.filter(shared) };
  const draftMoved = !sameOrder(orders.base, orders.draft);
  const conflict = draftMoved && !sameOrder(orders.base, orders.live) && !sameOrder(orders.live, orders.draft);
  const [leading, following] = draftMoved ? [draft, live] : [live, draft];
  return { ids: insertMissing(leading, following, surviving), conflict: conflict ? orders : null };
}

function insertMissing(
  leading: readonly string[],
  following: readonly string[],
  surviving: ReadonlySet<string>,
): string[] {
  const placed = new Set(leading);
  // The insertions after each step of the leading order; null is the beginning.
  const insertions = new Map<string | null, string[]>();
  let anchor: string | null = null;
  for (const id of following) {
    if (!surviving.has(id)) continue;
    if (!placed.has(id)) {
      const inserted = insertions.get(anchor);
      if (inserted === undefined) insertions.set(anchor, [id]);
      else inserted.push(id);
    } else {
      anchor = id;
    }
  }
  const remaining = leading.filter((id) => surviving.has(id));
  return [...(insertions.get(null) ?? []), ...remaining.flatMap((id) => [id, ...(insertions.get(id) ?? [])])];
}

function sameOrder(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}
