import { availableParallelism } from 'node:os';
import type { Sandbox, SandboxOutcome } from '../../kernel/sandbox.ts';
import type { Places } from '../../kernel/deps.ts';
import { openPlaces } from '../places.ts';
import { type Priority, type SandboxChild, startSandboxChild } from './child.ts';
import { SANDBOX_LIMITS } from './limits.ts';
import type { SandboxRequest } from './requests.ts';

type SandboxOptions = {
  /** The maximum number of scripts of runs that are executed in parallel. */
  size?: number;
  /** The maximum number of conditions of runs that are evaluated in parallel, in addition to the scripts. */
  conditions?: number;
  /** Maximum number of waiting scripts of one organization, and of its waiting conditions. More are refused. */
  waiting?: number;
  /** Idle time after which a process is ended. */
  idleMs?: number;
  /** Number of requests after which a process is replaced. */
  uses?: number;
  /** Called once if the processes stay root because the system doesn't let them switch to a different user. */
  onStaysRoot?: () => void;
};

type Place = { child: SandboxChild; used: number; idle: NodeJS.Timeout | null };

/** The maximum number of parallel trials, separately for established accounts and for new accounts. */
const TRIALS_AT_ONCE = 1;
/** The maximum number of waiting trials per address, and in total. */
const TRIALS_WAITING = { waiting: 8, waitingInAll: 100 };

/** Runs user-written code in processes that are started on demand and ended when idle. */
export function openSandbox({
  size = Math.max(2, availableParallelism()),
  conditions = 2,
  waiting = 20,
  idleMs = 30_000,
  uses = 500,
  onStaysRoot = () => {},
}: SandboxOptions = {}): Sandbox {
  // Trials have separate processes with the lowest priority. A run never waits for a trial, and takes precedence over
  // it on the CPU.
  const free: Record<Priority, Place[]> = { run: [], trial: [] };
  const all = new Set<Place>();
  const forScripts = openPlaces({ size, waiting });
  const forConditions = openPlaces({ size: conditions, waiting });
  const forTrials = openPlaces({ size: TRIALS_AT_ONCE, ...TRIALS_WAITING });
  const forTrialsOfNewAccounts = openPlaces({ size: TRIALS_AT_ONCE, ...TRIALS_WAITING });
  let isClosed = false;
  let hasWarned = false;

  const end = (place: Place): void => {
    if (place.idle) clearTimeout(place.idle);
    all.delete(place);
    for (const places of Object.values(free)) {
      const at = places.indexOf(place);
      if (at >= 0) places.splice(at, 1);
    }
    place.child.kill();
  };
  const take = async (priority: Priority): Promise<Place> => {
    for (let place = free[priority].pop(); place; place = free[priority].pop()) {
      if (place.idle) clearTimeout(place.idle);
      if (!place.child.isSpent()) return place;
      end(place);
    }
    const place: Place = { child: await startSandboxChild(priority), used: 0, idle: null };
    if (place.child.isRoot && !hasWarned) {
      hasWarned = true;
      onStaysRoot();
    }
    all.add(place);
    if (!isClosed) return place;
    end(place);
    throw closed();
  };
  const giveBack = (place: Place, priority: Priority): void => {
    place.used += 1;
    if (isClosed || place.used >= uses || place.child.isSpent()) return end(place);
    place.idle = setTimeout(() => end(place), idleMs);
    place.idle.unref();
    free[priority].push(place);
  };

  const ask = (
    places: Places,
    owner: string,
    request: SandboxRequest,
    priority: Priority = 'run',
  ): Promise<SandboxOutcome> =>
    places.at(owner, async () => {
      if (isClosed) throw closed();
      const place = await take(priority);
      try {
        const outcome = await place.child.ask(request);
        if (isClosed) throw closed();
        return outcome;
      } finally {
        giveBack(place, priority);
      }
    });
  const { scriptMs, shortMs } = SANDBOX_LIMITS;

  return {
    scriptsAtOnce: forScripts.mostEach,
    run: ({ orgId, script: text, timeoutMs, input }) =>
      ask(forScripts, orgId, { kind: 'script', text, timeoutMs: Math.min(timeoutMs, scriptMs), input }),
    attempt: ({ address, isNewAccount, script: text, timeoutMs, input }) => {
      const places = isNewAccount ? forTrialsOfNewAccounts : forTrials;
      return ask(places, address, { kind: 'script', text, timeoutMs: Math.min(timeoutMs, shortMs), input }, 'trial');
    },
    evaluate: ({ orgId, expression: text, timeoutMs, input }) =>
      ask(forConditions, orgId, { kind: 'expression', text, timeoutMs: Math.min(timeoutMs, shortMs), input }),
    close: async () => {
      isClosed = true;
      for (const places of [forScripts, forConditions, forTrials, forTrialsOfNewAccounts]) places.close(closed());
      for (const place of all) end(place);
    },
  };
}

// An error instead of a refusal, so that the job is retried.
const closed = (): Error => new Error('the sandbox is closed');
