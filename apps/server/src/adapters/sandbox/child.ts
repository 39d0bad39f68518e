import { type ChildProcess, fork } from 'node:child_process';
import type { SandboxOutcome } from '../../kernel/sandbox.ts';
import { childScript, lowerPriority } from '../unprivileged-process.ts';
import { SANDBOX_LIMITS, TOO_LARGE, tooSlow } from './limits.ts';
import type { SandboxReply, SandboxRequest } from './requests.ts';

/** Time in addition to the engine's own timeout, for loops that the engine doesn't interrupt. */
const GRACE_MS = 300;
/** Long, because a process with a low priority takes a long time to start on a busy machine. */
const START_MS = 60_000;
/** Priorities lower than the server's, so that scripts don't slow down requests. Runs take precedence over trials. */
const NICE = { run: 10, trial: 19 } as const;
export type Priority = keyof typeof NICE;

const SCRIPT = childScript(import.meta.url, 'sandbox-process');

export type SandboxChild = {
  /** Handles one request at a time. */
  ask: (request: SandboxRequest) => Promise<SandboxOutcome>;
  /** True if the process still has root privileges, because the system doesn't allow it to change the user. */
  isRoot: boolean;
  /** True if the process accepts no more requests. */
  isSpent: () => boolean;
  kill: () => void;
};

/**
 * Starts a process without the server's environment and standard streams. If the server is root, the process runs as a
 * user that owns no files. Resolves when it is ready.
 */
export async function startSandboxChild(priority: Priority): Promise<SandboxChild> {
  const process = fork(SCRIPT.path, {
    env: {},
    execArgv: [...SCRIPT.execArgv, `--max-old-space-size=${SANDBOX_LIMITS.heapMb}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // The priority is lowered immediately, because starting a process costs more than running a script, and a new process
  // starts after each killed script.
  lowerPriority(process.pid, NICE[priority]);
  const kill = (): void => void process.kill('SIGKILL');
  let isSpent = false;
  process.once('exit', () => (isSpent = true));
  process.on('error', () => (isSpent = true));
  const started = await received(process, START_MS, kill);
  if (typeof started !== 'object' || started.kind !== 'ready') {
    kill();
    throw new Error(`a sandbox process did not start: ${JSON.stringify(started)}`);
  }
  return {
    kill,
    isRoot: started.isRoot,
    isSpent: () => isSpent,
    ask: async (request) => {
      process.send(request);
      const answer = await received(process, request.timeoutMs + GRACE_MS, kill);
      if (typeof answer === 'object' && answer.kind === 'done') {
        isSpent ||= answer.isSpent;
        if (isSpent) kill();
        return answer.outcome;
      }
      isSpent = true;
      kill();
      if (typeof answer === 'object')
        throw new Error(`a sandbox process failed to handle a request: ${JSON.stringify(answer)}`);
      return { outcome: 'failed', reason: answer === 'late' ? tooSlow(request.timeoutMs) : TOO_LARGE, log: [] };
    },
  };
}

/** Waits for the next message. `late` if none arrived in time, and `gone` if the process ended first. */
function received(process: ChildProcess, ms: number, kill: () => void): Promise<SandboxReply | 'late' | 'gone'> {
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
