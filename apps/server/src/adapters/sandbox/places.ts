import { Refused } from '../../kernel/refused.ts';

export type Places = {
  /** How many of them one organization has at most. */
  mostEach: number;
  /** Waits for a place and does the work there. Refused where too much of the organization waits already. */
  at: <T>(orgId: string, work: () => Promise<T>) => Promise<T>;
  /** Those who wait are told so. */
  close: (problem: Error) => void;
};

type Waiting = { resolve: () => void; reject: (problem: Error) => void };

/**
 * Places that organizations take in turn. None has all of them, so that what never ends by itself leaves one to the others;
 * of those that wait, the one whose turn was longest ago is next.
 */
export function openPlaces({ size, waiting }: { size: number; waiting: number }): Places {
  const mostEach = Math.max(1, size - 1);
  const held = new Map<string, number>();
  // Who has a place or waits for one, and when they had their last turn.
  const served = new Map<string, number>();
  const lines = new Map<string, Waiting[]>();
  let taken = 0;
  let turns = 0;

  const turnOf = (orgId: string): number => served.get(orgId) ?? 0;
  const isFree = (orgId: string): boolean => taken < size && (held.get(orgId) ?? 0) < mostEach;
  const take = (orgId: string): void => {
    taken += 1;
    served.set(orgId, (turns += 1));
    held.set(orgId, (held.get(orgId) ?? 0) + 1);
  };
  const giveBack = (orgId: string): void => {
    taken -= 1;
    const left = (held.get(orgId) ?? 1) - 1;
    if (left > 0) held.set(orgId, left);
    else held.delete(orgId);
    if (left === 0 && !lines.has(orgId)) served.delete(orgId);
    const [next] = [...lines.keys()].filter(isFree).toSorted((one, other) => turnOf(one) - turnOf(other));
    if (next !== undefined) serve(next);
  };
  const serve = (orgId: string): void => {
    const line = lines.get(orgId) ?? [];
    const first = line.shift();
    if (line.length === 0) lines.delete(orgId);
    if (!first) return;
    // Handed over at once: nobody who comes just now gets in between.
    take(orgId);
    first.resolve();
  };

  return {
    mostEach,
    at: async (orgId, work) => {
      const line = lines.get(orgId);
      if (!line && isFree(orgId)) take(orgId);
      else if ((line?.length ?? 0) >= waiting) throw new Refused({ code: 'too_many_requests', retryAfterSeconds: 10 });
      else await new Promise<void>((resolve, reject) => lines.set(orgId, [...(line ?? []), { resolve, reject }]));
      try {
        return await work();
      } finally {
        giveBack(orgId);
      }
    },
    close: (problem) => {
      for (const line of lines.values()) for (const { reject } of line) reject(problem);
      lines.clear();
    },
  };
}
