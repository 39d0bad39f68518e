import { type Step, refersToNext, withReferences } from '../steps/index.ts';
import type { StepGraph } from './graph.ts';

/** Targets by the settings that name them. */
type Branches = ReadonlyMap<string, string>;

/** The links of a workflow while rows are removed and inserted. No operation can create a cycle. */
export class Links {
  readonly #graph: StepGraph;
  readonly #next: Map<string, readonly string[]>;
  /** The predecessors that differ from those in the graph. */
  readonly #previous = new Map<string, Set<string>>();
  readonly #branches = new Map<string, Branches>();

  /**
   * Starts with the links of `before`, whose valid graph is `graph`, and the branch targets of `after`, which may have
   * been edited.
   */
  constructor(graph: StepGraph, before: readonly Step[], after: readonly Step[]) {
    this.#graph = graph;
    this.#next = new Map(graph.ids.map((id) => [id, graph.next(id)]));
    for (const step of [...before, ...after]) {
      const named = refersToNext(step);
      this.#branches.delete(step.id);
      if (named.length > 0) this.#branches.set(step.id, new Map(named.map(({ setting, target }) => [setting, target])));
    }
  }

  /** Detaches a row: its predecessors lead to its successors. */
  detach(id: string): void {
    const following = this.#nextOf(id);
    for (const previous of this.#previousOf(id)) this.#redirect(previous, id, following);
    this.#setNext(id, []);
    // The row is also removed from the map, because without a place it is neither a root nor an end.
    this.#next.delete(id);
  }

  /** Removes a row permanently. */
  remove(id: string): void {
    this.detach(id);
    this.#branches.delete(id);
  }

  /** Inserts an unlinked row between the row above and the row below. */
  insert(id: string, above: string | undefined, below: string | undefined): void {
    const afterAbove = above === undefined ? [] : this.#nextOf(above);
    if (above !== undefined && below !== undefined && afterAbove.includes(below)) {
      this.#setNext(id, [below]);
      this.#redirect(above, below, [id]);
    } else if (above !== undefined && afterAbove.length <= 1 && !this.#branches.has(above)) {
      this.#setNext(id, afterAbove);
      this.#setNext(above, [id]);
    } else if (above === undefined) {
      const roots = this.#ids().filter((other) => other !== id && this.#isRoot(other));
      this.#setNext(id, below !== undefined && roots.includes(below) ? [below] : roots);
    } else if (below === undefined) {
      // The new row is the last in the table, below a fork. It comes after everything else, so all former ends lead to
      // it.
      this.#setNext(id, []);
      for (const other of this.#ids()) if (other !== id && this.#nextOf(other).length === 0) this.#setNext(other, [id]);
    } else {
      const leading = [...this.#previousOf(below)];
      this.#setNext(id, [below]);
      for (const previous of leading) this.#redirect(previous, below, [id]);
    }
  }

  /** Returns the rows with these links and branch targets. An unaffected row stays the same object. */
  applyTo(rows: readonly Step[]): Step[] {
    return rows.map((row) => {
      const branches = this.#branches.get(row.id);
      const next = this.#nextOf(row.id);
      const linked = isSameList(row.next, next) ? row : { ...row, next: [...next] };
      return withReferences(linked, ({ setting, names, target }) =>
        names === 'next' ? branches?.get(setting) : target,
      );
    });
  }

  #ids(): string[] {
    return [...this.#next.keys()];
  }

  #nextOf(id: string): readonly string[] {
    return this.#next.get(id) ?? [];
  }

  #previousOf(id: string): Iterable<string> {
    return this.#previous.get(id) ?? this.#graph.previous(id);
  }

  #isRoot(id: string): boolean {
    return (this.#previous.get(id)?.size ?? this.#graph.previous(id).length) === 0;
  }

  #setNext(id: string, targets: readonly string[]): void {
    for (const target of this.#nextOf(id)) this.#ownPrevious(target).delete(id);
    this.#next.set(id, targets);
    for (const target of targets) this.#ownPrevious(target).add(id);
  }

  /** Returns a step's predecessors as a set that can be changed. */
  #ownPrevious(id: string): Set<string> {
    const own = this.#previous.get(id) ?? new Set(this.#graph.previous(id));
    this.#previous.set(id, own);
    return own;
  }

  #redirect(from: string, target: string, targets: readonly string[]): void {
    const next = this.#nextOf(from).flatMap((id) => (id === target ? targets : [id]));
    this.#setNext(from, [...new Set(next)]);
    const branches = this.#branches.get(from);
    if (!branches) return;
    const moved = [...branches].flatMap(([setting, branch]) => {
      const to = branch === target ? targets[0] : branch;
      return to ? [[setting, to] as const] : [];
    });
    this.#branches.set(from, new Map(moved));
  }
}

/** True if two lists have the same entries in the same order. */
export const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one === other || (one.length === other.length && one.every((entry, at) => entry === other[at]));
