import type { Statement, Write } from '../kernel/database.ts';

/**
 * Merges the writes of several pieces of work into one list that preserves the order within each piece. If several
 * pieces execute a statement with a list parameter (`list`) and equal other values, these executions usually become one
 * execution with all rows. Their order in the pieces can prevent that.
 */
export function mergeWrites(pieces: readonly (readonly Write[])[]): Write[] {
  if (pieces.length === 1) return [...(pieces[0] ?? [])];
  const left = pieces.map((writes) => [...writes]);
  const merged: Write[] = [];
  for (;;) {
    const heads = left.flatMap((writes) => (writes[0] ? [writes[0]] : []));
    const [first] = heads;
    if (!first) return merged;
    // If a piece of work sends the same statement later, it waits for that if possible, so that more of its executions
    // become one.
    const isLater = ([s]: Write): boolean => left.some(([, ...later]) => later.some(([other]) => other === s));
    const [next] = heads.find((head) => !isLater(head)) ?? first;
    merged.push(
      ...combined(
        next,
        left.flatMap((writes) => takeFirst(writes, next)),
      ),
    );
  }
}

function takeFirst(writes: Write[], s: Statement<string, unknown>): Record<string, unknown>[] {
  const [first] = writes;
  if (!first || first[0] !== s) return [];
  writes.shift();
  return [first[1]];
}

function combined(s: Statement<string, unknown>, executions: readonly Record<string, unknown>[]): Write[] {
  const { list } = s;
  if (list === null) return executions.map((values) => [s, values]);
  const byOthers = new Map<string, Record<string, unknown>>();
  for (const values of executions) {
    const key = JSON.stringify({ ...values, [list]: null });
    const rows = [...((byOthers.get(key)?.[list] as unknown[] | undefined) ?? []), ...(values[list] as unknown[])];
    byOthers.set(key, { ...values, [list]: rows });
  }
  return [...byOthers.values()].map((values) => [s, values]);
}
