import { Refused } from '../kernel/refused.ts';
import type { Places } from '../kernel/deps.ts';

type Waiting = { resolve: () => void; reject: (problem: Error) => void };

type PlacesOptions = {
  size: number;
  /** Maximum number of slots of one owner. By default, all but one. */
  each?: number;
  /** Maximum number of waiting jobs of one owner. */
  waiting: number;
  /** Maximum number of waiting jobs in total. */
  waitingInAll?: number;
};

const RETRY_SECONDS = 10;

/**
 * Slots that are shared by owners (organizations or addresses). By default, if there are at least two, no owner gets
 * all of them, so a single owner's endless work can't block the others. A free slot goes to the waiting owner whose
 * last turn was longest ago and who doesn't have the maximum yet.
 */
export function openPlaces({ size, each = size - 1, waiting, waitingInAll = Infinity }: PlacesOptions): Places {
  const mostEach = Math.max(1, each);
  const slotsByOwner = new Map<string, number>();
  // The number of the last turn of each owner that has a slot or is waiting for one.
  const served = new Map<string, number>();
  const lines = new Map<string, Waiting[]>();
  let taken = 0;
  let turns = 0;

  const turnOf = (owner: string): number => served.get(owner) ?? 0;
  const isFree = (owner: string): boolean => taken < size && (slotsByOwner.get(owner) ?? 0) < mostEach;
  const take = (owner: string): void => {
    taken += 1;
    served.set(owner, (turns += 1));
    slotsByOwner.set(owner, (slotsByOwner.get(owner) ?? 0) + 1);
  };
  const giveBack = (owner: string): void => {
    taken -= 1;
    const left = (slotsByOwner.get(owner) ?? 1) - 1;
    if (left > 0) slotsByOwner.set(owner, left);
    else slotsByOwner.delete(owner);
    if (left === 0 && !lines.has(owner)) served.delete(owner);
    const [next] = [...lines.keys()].filter(isFree).toSorted((one, other) => turnOf(one) - turnOf(other));
    if (next !== undefined) serve(next);
  };
  const serve = (owner: string): void => {
    const line = lines.get(owner) ?? [];
    const first = line.shift();
    if (line.length === 0) lines.delete(owner);
    if (!first) return;
    // The slot is taken immediately, so that no new owner can take it before the promise resolves.
    take(owner);
    first.resolve();
  };

  const waitInLine = async (owner: string, signal: AbortSignal | undefined): Promise<void> => {
    const length = lines.get(owner)?.length ?? 0;
    if (length >= waiting) throw new Refused({ code: 'too_many_requests', retryAfterSeconds: RETRY_SECONDS });
    const all = [...lines.values()].reduce((sum, line) => sum + line.length, 0);
    if (all >= waitingInAll) throw new Refused({ code: 'busy', retryAfterSeconds: RETRY_SECONDS });
    await new Promise<void>((resolve, reject) => {
      const turn: Waiting = { resolve: () => (signal?.removeEventListener('abort', leave), resolve()), reject };
      const leave = (): void => {
        const others = (lines.get(owner) ?? []).filter((each) => each !== turn);
        if (others.length > 0) lines.set(owner, others);
        else lines.delete(owner);
        if (others.length === 0 && !slotsByOwner.has(owner)) served.delete(owner);
        reject(gone());
      };
      signal?.addEventListener('abort', leave, { once: true });
      lines.set(owner, [...(lines.get(owner) ?? []), turn]);
    });
  };

  return {
    mostEach,
    at: async (owner, work, signal) => {
      if (signal?.aborted) throw gone();
      if (!lines.has(owner) && isFree(owner)) take(owner);
      else await waitInLine(owner, signal);
      try {
        // The client may have disconnected after it got the slot.
        if (signal?.aborted) throw gone();
        return await work();
      } catch (error) {
        // The reason for a failure doesn't matter once the client has disconnected.
        throw signal?.aborted ? gone() : error;
      } finally {
        giveBack(owner);
      }
    },
    close: (problem) => {
      for (const line of lines.values()) for (const { reject } of line) reject(problem);
      lines.clear();
    },
  };
}

const gone = (): Refused => new Refused({ code: 'client_gone' });
