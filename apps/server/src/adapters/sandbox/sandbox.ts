import { availableParallelism } from 'node:os';
import type { Sandbox, SandboxOutcome } from '../../kernel/sandbox.ts';
import { type SandboxChild, startSandboxChild } from './child.ts';
import { SANDBOX_LIMITS } from './limits.ts';
import { type Places, openPlaces } from './places.ts';
import type { SandboxRequest } from './requests.ts';

type SandboxOptions = {
  /** How many scripts of runs are run at the same time. */
  size?: number;
  /** How many conditions and trials, beside those. */
  short?: number;
  /** How many of one organization wait at most for either; one more is refused. */
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
  short = 2,
  waiting = 20,
  idleMs = 30_000,
  uses = 500,
}: SandboxOptions = {}): Sandbox {
  const free: Place[] = [];
  const all = new Set<Place>();
  const forScripts = openPlaces({ size, waiting });
  const forShort = openPlaces({ size: short, waiting });
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

  const ask = (places: Places, orgId: string, request: SandboxRequest): Promise<SandboxOutcome> =>
    places.at(orgId, async () => {
      if (isClosed) throw closed();
      const place = await take();
      try {
        const outcome = await place.child.ask(request);
        if (isClosed) throw closed();
        return outcome;
      } finally {
        giveBack(place);
      }
    });
  const { scriptMs, shortMs } = SANDBOX_LIMITS;

  return {
    scriptsAtOnce: forScripts.mostEach,
    run: ({ orgId, script: text, timeoutMs, input }) =>
      ask(forScripts, orgId, { kind: 'script', text, timeoutMs: Math.min(timeoutMs, scriptMs), input }),
    attempt: ({ orgId, script: text, timeoutMs, input }) =>
      ask(forShort, orgId, { kind: 'script', text, timeoutMs: Math.min(timeoutMs, shortMs), input }),
    evaluate: ({ orgId, expression: text, timeoutMs, input }) =>
      ask(forShort, orgId, { kind: 'expression', text, timeoutMs: Math.min(timeoutMs, shortMs), input }),
    close: async () => {
      isClosed = true;
      for (const places of [forScripts, forShort]) places.close(closed());
      for (const place of all) end(place);
    },
  };
}

// Not a refusal: a job that meets it is done again by another process.
const closed = (): Error => new Error('the sandbox is closed');
