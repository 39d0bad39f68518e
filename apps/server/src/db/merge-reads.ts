import type { Statement } from '../kernel/database.ts';

/** A statement whose rows a piece of work is waiting for. */
export type Read = {
  s: Statement<string, unknown>;
  values: Record<string, unknown>;
  resolve: (rows: unknown[]) => void;
  reject: (error: unknown) => void;
};

/** One execution of a statement for one or more reads. */
type Execution = { s: Statement<string, unknown>; values: Record<string, unknown>; reads: readonly Read[] };

/**
 * Combines reads that are sent together. Reads of the same statement with the same values become one execution. For a
 * statement with `each`, reads whose values differ only in these parameters are merged too. The parameters become
 * arrays, and the column `nth` of a row is the position of its read. Each execution is sent at the position of its
 * first read.
 */
export function mergeReads(reads: readonly Read[]): Execution[] {
  const groups = new Map<string, Read[]>();
  for (const read of reads) {
    const { s, values } = read;
    const others = s.params.map((name) => (s.each?.includes(name) ? null : values[name]));
    const key = `${s.name} ${JSON.stringify(others)}`;
    const group = groups.get(key);
    if (group) group.push(read);
    else groups.set(key, [read]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { s } = first;
    const all = group.map(({ values }) => values);
    return [{ s, values: asArrays(s, all), reads: group }];
  });
}

/** The values of one execution for reads whose values differ only in the parameters that become arrays. */
export function asArrays(s: Statement<string, unknown>, all: readonly Record<string, unknown>[]) {
  const arrays = (s.each ?? []).map((name) => [name, all.map((values) => values[name])] as const);
  return { ...all[0], ...Object.fromEntries(arrays) };
}

/** Gives each read its rows. */
export function distribute({ s, reads }: Execution, rows: readonly unknown[]): void {
  if (s.each === null || reads.length === 1) for (const { resolve } of reads) resolve([...rows]);
  else {
    const own = reads.map((): unknown[] => []);
    for (const row of rows as { nth: number }[]) own[row.nth - 1]?.push(row);
    for (const [at, { resolve }] of reads.entries()) resolve(own[at] ?? []);
  }
}
