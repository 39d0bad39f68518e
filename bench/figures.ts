import { cpus, loadavg } from 'node:os';

/** Returns the load of the machine, as context for measured times. */
export function busyWords(): string {
  const [load = 0] = loadavg();
  return `System load at the start: ${load.toFixed(1)} on ${cpus().length} CPUs.`;
}

/** Returns the `q` quantile: this share of the values is below it. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/**
 * Returns the share of pairs in which the value of `ones` is greater than that of `others`; ties count half. It is 0.5
 * if the two can't be distinguished.
 */
export function areaUnderCurve(ones: readonly number[], others: readonly number[]): number {
  let above = 0;
  for (const one of ones) for (const other of others) above += one > other ? 1 : one === other ? 0.5 : 0;
  return above / (ones.length * others.length);
}
