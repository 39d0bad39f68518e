import { cpus, loadavg } from 'node:os';

/** How busy the machine is with other things, for whoever reads times that were taken on it. */
export function busyWords(): string {
  const [load = 0] = loadavg();
  return `Load of the machine as it began: ${load.toFixed(1)} on ${cpus().length} processors.`;
}

/** The value below which the share `q` of the values lies. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/** How often a value of `ones` is above one of `others`, ties as half: 0.5 where nothing tells the two apart. */
export function areaUnderCurve(ones: readonly number[], others: readonly number[]): number {
  let above = 0;
  for (const one of ones) for (const other of others) above += one > other ? 1 : one === other ? 0.5 : 0;
  return above / (ones.length * others.length);
}
