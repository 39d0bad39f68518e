import type { Step, StepConfigByType } from './step.ts';

type Branches = Pick<StepConfigByType['condition'], 'trueNext' | 'falseNext'>;

/** The links of a workflow while rows are taken out and put in. No operation can make a cycle where there was none. */
export class Links {
  readonly #next = new Map<string, string[]>();
  readonly #previous = new Map<string, Set<string>>();
  readonly #branches = new Map<string, Branches>();

  /** Begins with the links of `before` and the branch targets of `after`, which may have been edited. */
  constructor(before: readonly Step[], after: readonly Step[]) {
    for (const step of before) this.#setNext(step.id, [...new Set(step.next)]);
    for (const { id, type, config } of [...before, ...after]) {
      const { trueNext, falseNext } = type === 'condition' ? config : {};
      this.#branches.delete(id);
      if (trueNext || falseNext) {
        this.#branches.set(id, { ...(trueNext && { trueNext }), ...(falseNext && { falseNext }) });
      }
    }
  }

  /** Takes a row out of its place: whatever led to it leads to what followed it. */
  detach(id: string): void {
    const following = this.#nextOf(id);
    for (const previous of this.#previous.get(id) ?? []) this.#redirect(previous, id, following);
    this.#setNext(id, []);
    // Out of the map as well: a row that waits for its new place is neither a root nor an end.
    this.#next.delete(id);
  }

  /** Takes a row away for good. */
  remove(id: string): void {
    this.detach(id);
    this.#branches.delete(id);
  }

  /** Puts a row that has no links between the row above and the row below. */
  insert(id: string, above: string | undefined, below: string | undefined): void {
    const afterAbove = above === undefined ? [] : this.#nextOf(above);
    if (above !== undefined && below !== undefined && afterAbove.includes(below)) {
      this.#setNext(id, [below]);
      this.#redirect(above, below, [id]);
    } else if (above !== undefined && afterAbove.length <= 1 && !this.#branches.has(above)) {
      this.#setNext(id, afterAbove);
      this.#setNext(above, [id]);
    } else if (above === undefined) {
      const roots = this.#ids().filter((other) => other !== id && !this.#previous.get(other)?.size);
      this.#setNext(id, below !== undefined && roots.includes(below) ? [below] : roots);
    } else if (below === undefined) {
      // Below a fork with nothing under it in the table: the one place that comes after everything is the end.
      this.#setNext(id, []);
      for (const other of this.#ids()) if (other !== id && this.#nextOf(other).length === 0) this.#setNext(other, [id]);
    } else {
      const leading = [...(this.#previous.get(below) ?? [])];
      this.#setNext(id, [below]);
      for (const previous of leading) this.#redirect(previous, below, [id]);
    }
  }

  /** The rows with these links and branch targets. */
  applyTo(rows: readonly Step[]): Step[] {
    return rows.map((row): Step => {
      const next = this.#nextOf(row.id);
      if (row.type !== 'condition') return { ...row, next };
      const { trueNext: _true, falseNext: _false, ...config } = row.config;
      return { ...row, next, config: { ...config, ...this.#branches.get(row.id) } };
    });
  }

  #ids(): string[] {
    return [...this.#next.keys()];
  }

  #nextOf(id: string): string[] {
    return [...(this.#next.get(id) ?? [])];
  }

  #setNext(id: string, targets: readonly string[]): void {
    for (const target of this.#next.get(id) ?? []) this.#previous.get(target)?.delete(id);
    this.#next.set(id, [...targets]);
    for (const target of targets) this.#previous.set(target, (this.#previous.get(target) ?? new Set()).add(id));
  }

  #redirect(from: string, target: string, targets: readonly string[]): void {
    const next = this.#nextOf(from).flatMap((id) => (id === target ? targets : [id]));
    this.#setNext(from, [...new Set(next)]);
    const branches = this.#branches.get(from);
    if (!branches) return;
    const moved = (branch: string | undefined) => (branch === target ? targets[0] : branch);
    const trueNext = moved(branches.trueNext);
    const falseNext = moved(branches.falseNext);
    this.#branches.set(from, { ...(trueNext && { trueNext }), ...(falseNext && { falseNext }) });
  }
}
