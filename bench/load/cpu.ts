import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

type Stat = { parent: number; ticks: number };

/** Returns the CPU time of the process and its ended children, in ticks, or null if the process is gone. */
function statOf(pid: number): Stat | null {
  try {
    // The program's name is in parentheses and may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const sum = [11, 12, 13, 14].reduce((ticks, at) => ticks + Number(fields[at]), 0);
    return { parent: Number(fields[1]), ticks: sum };
  } catch {
    return null;
  }
}

/** Returns a process and its running descendants. */
export function familyOf(pid: number, without: readonly number[] = []): number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), stat: statOf(Number(name)) }));
  const family = [pid];
  for (let at = 0; at < family.length; at += 1)
    for (const one of all) if (one.stat?.parent === family[at] && !without.includes(one.pid)) family.push(one.pid);
  return family;
}

/** Returns the CPU seconds of a process and its descendants, except those in `without`. */
export function cpuSeconds(pid: number, without: readonly number[] = []): number {
  return familyOf(pid, without).reduce((ticks, one) => ticks + (statOf(one)?.ticks ?? 0), 0) / TICKS;
}

/** Returns the CPU seconds of the ended children of this process. */
export function endedChildrenSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}
