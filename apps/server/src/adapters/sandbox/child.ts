import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SandboxOutcome } from '../../kernel/sandbox.ts';
import { SANDBOX_LIMITS, TOO_LARGE, tooSlow } from './limits.ts';
import type { SandboxReply, SandboxRequest } from './requests.ts';

/** Beyond its own interrupt: for what the engine does not notice by itself. */
const GRACE_MS = 300;
/** Long, since it starts with its low priority: on a machine without a moment to spare that takes its time. */
const START_MS = 60_000;
/** Below the server's: what people wrote must not slow down what others wait for. */
const NICE = 10;

// In the build all is JavaScript; from the sources the process needs the loader that the server runs with.
const isBuilt = import.meta.url.endsWith('.js');
const ENTRY = fileURLToPath(new URL(`./sandbox-process.${isBuilt ? 'js' : 'ts'}`, import.meta.url));
const loader = (): string[] =>
  isBuilt ? [] : ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href];

export type SandboxChild = {
  /** One request at a time. */
  ask: (request: SandboxRequest) => Promise<SandboxOutcome>;
  /** No further request can be asked of it. */
  isSpent: () => boolean;
  kill: () => void;
};

/** Starts a process without environment, files or standard streams of ours; answers once it is ready. */
export async function startSandboxChild(): Promise<SandboxChild> {
  const process = fork(ENTRY, {
    env: {},
    execArgv: [...loader(), `--max-old-space-size=${SANDBOX_LIMITS.heapMb}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // At once: what kills its processes makes the server start new ones, which costs more than a script.
  lower(process);
  const kill = (): void => void process.kill('SIGKILL');
  let isSpent = false;
  process.once('exit', () => (isSpent = true));
  process.on('error', () => (isSpent = true));
  const started = await heard(process, START_MS, kill);
  if (typeof started !== 'object' || started.kind !== 'ready') {
    kill();
    throw new Error(`a sandbox process did not start: ${JSON.stringify(started)}`);
  }
  return {
    kill,
    isSpent: () => isSpent,
    ask: async (request) => {
      process.send(request);
      const answer = await heard(process, request.timeoutMs + GRACE_MS, kill);
      if (typeof answer === 'object' && answer.kind === 'done') {
        isSpent ||= answer.isSpent;
        if (isSpent) kill();
        return answer.outcome;
      }
      isSpent = true;
      kill();
      if (typeof answer === 'object') throw new Error(`a sandbox process could not begin: ${JSON.stringify(answer)}`);
      return { outcome: 'failed', reason: answer === 'late' ? tooSlow(request.timeoutMs) : TOO_LARGE, log: [] };
    },
  };
}

/** The next message; `late` where none came in time, `gone` where the process ended first. */
function heard(process: ChildProcess, ms: number, kill: () => void): Promise<SandboxReply | 'late' | 'gone'> {
  return new Promise((resolve) => {
    const end = (result: SandboxReply | 'late' | 'gone'): void => {
      clearTimeout(timer);
      process.off('message', onMessage);
      process.off('exit', onExit);
      process.off('error', onExit);
      resolve(result);
    };
    const onMessage = (message: unknown): void => end(message as SandboxReply);
    const onExit = (): void => end('gone');
    const timer = setTimeout(() => {
      kill();
      end('late');
    }, ms);
    process.on('message', onMessage);
    process.on('exit', onExit);
    process.on('error', onExit);
  });
}

function lower({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, NICE);
  } catch {
    // It has ended already, or the system knows no priorities.
  }
}
