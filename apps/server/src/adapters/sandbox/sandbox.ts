import { availableParallelism } from 'node:os';
import { Refused } from '../../kernel/refused.ts';
import type { Sandbox, SandboxOutcome } from '../../kernel/sandbox.ts';
import { type SandboxChild, startSandboxChild } from './child.ts';
import type { SandboxRequest } from './requests.ts';

export type SandboxOptions = {
  /** How many scripts run at the same time. */
  size?: number;
  /** How many wait at most; one more is refused. */
  waiting?: number;
  /** How long a process that nobody needs is kept. */
  idleMs?: number;
  /** After how many scripts a process is replaced. */
  uses?: number;
};

type Place = { child: SandboxChild; used: number; idle: NodeJS.Timeout | null };

/** Processes that run what people wrote, started when they are needed and ended when they are not. */
export function openSandbox({
  size = Math.max(2, availableParallelism()),
  waiting = 100,
  idleMs = 30_000,
  uses = 500,
}: SandboxOptions = {}): Sandbox {
  const free: Place[] = [];
  const all = new Set<Place>();
  const queue: (() => void)[] = [];
  let running = 0;
  let isClosed = false;

  const end = (place: Place): void => {
    if (place.idle) clearTimeout(place.idle);
    all.delete(place);
    const at = free.indexOf(place);
    if (at >= 0) free.splice(at, 1);
    place.child.kill();
  };
  const take = async (): Promise<Place> => {
    for (let place = free.pop(); place; place = free.pop()) {
      if (place.idle) clearTimeout(place.idle);
      if (!place.child.isSpent()) return place;
      end(place);
    }
    const place: Place = { child: await startSandboxChild(), used: 0, idle: null };
    all.add(place);
    if (!isClosed) return place;
    end(place);
    throw closed();
  };
  const giveBack = (place: Place): void => {
    place.used += 1;
    if (isClosed || place.used >= uses || place.child.isSpent()) return end(place);
    place.idle = setTimeout(() => end(place), idleMs);
    place.idle.unref();
    free.push(place);
  };

  const ask = async (request: SandboxRequest): Promise<SandboxOutcome> => {
    if (running >= size) {
      if (queue.length >= waiting) throw new Refused({ code: 'too_many_requests', retryAfterSeconds: 10 });
      await new Promise<void>((resolve) => queue.push(resolve));
    } else running += 1;
    try {
      if (isClosed) throw closed();
      const place = await take();
      try {
        const outcome = await place.child.ask(request);
        if (isClosed) throw closed();
        return outcome;
      } finally {
        giveBack(place);
      }
    } finally {
      // The place is handed over, not given back: nobody who comes just now gets in between.
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };

  return {
    run: ({ script, ...request }) => ask({ kind: 'script', text: script, ...request }),
    evaluate: ({ expression, ...request }) => ask({ kind: 'expression', text: expression, ...request }),
    close: async () => {
      isClosed = true;
      for (const place of all) end(place);
    },
  };
}

// Not a refusal: a job that meets it is done again by another process.
const closed = (): Error => new Error('the sandbox is closed');
