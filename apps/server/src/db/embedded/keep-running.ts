import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDiskFull, saysDiskFull } from './disk-room.ts';
import { hasEnded, type Launch, launch, logSince, sizeOf } from './launch.ts';
import { sendSignal } from './postmaster.ts';

/** The part of a logger that is used here; pino's fits. */
export type EmbeddedPostgresLog = {
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
  error(data: object, message: string): void;
};

const SHORT_LIFE_MS = 5_000;
const SHORT_LIVES_ALLOWED = 10;
const PAUSE_MS = 250;
const ROOM_POLL_MS = 1_000;
const FULL = 'the disk is full; PostgreSQL starts again once there is room';
const FAST_STOP_MS = 3_000;
const STOP_POLL_MS = 10;

/**
 * Launches PostgreSQL, and again whenever it ends by itself; calls `onExit` when that doesn't help.
 * The function it answers ends PostgreSQL for good and may be called twice.
 */
export async function keepRunning(
  options: Launch,
  { log, onExit }: { log: EmbeddedPostgresLog; onExit?: (problem: Error) => void },
): Promise<() => Promise<void>> {
  const unwanted = new AbortController();
  let child = await launch(options, unwanted.signal);
  log.info({ pid: child.pid, directory: options.clusterDirectory }, 'PostgreSQL runs');

  const watchOver = async (): Promise<void> => {
    for (let shortLives = 0; shortLives <= SHORT_LIVES_ALLOWED;) {
      const since = Date.now();
      const logged = sizeOf(options.logFile);
      await ended(child);
      if (unwanted.signal.aborted) return;
      const isShort = Date.now() - since < SHORT_LIFE_MS && !lacksRoom(options, logged);
      shortLives = isShort ? shortLives + 1 : 0;
      if (shortLives > 1) await sleep(PAUSE_MS);
      log.warn({ code: child.exitCode, signal: child.signalCode }, 'PostgreSQL ended by itself; starting it again');
      child = await launchWithRoom(options, unwanted.signal, log);
      log.info({ pid: child.pid }, 'PostgreSQL runs again');
    }
    throw new Error(
      `PostgreSQL ended ${SHORT_LIVES_ALLOWED + 1} times shortly after its start; see ${options.logFile}`,
    );
  };
  const watching = watchOver().catch((error: unknown) => {
    if (unwanted.signal.aborted) return;
    const problem = error instanceof Error ? error : new Error(String(error));
    log.error({ err: problem }, 'PostgreSQL could not be kept running');
    onExit?.(problem);
  });

  return async () => {
    unwanted.abort();
    await end(child);
    await watching;
    await end(child); // Another one, where a launch had just succeeded when it became unwanted.
  };
}

/** A full disk is no reason to give up: who makes room expects that everything goes on by itself. */
async function launchWithRoom(options: Launch, unwanted: AbortSignal, log: EmbeddedPostgresLog): Promise<ChildProcess> {
  for (let isTold = false; ; isTold = true) {
    const logged = sizeOf(options.logFile);
    try {
      return await launch(options, unwanted);
    } catch (error) {
      if (unwanted.aborted || !lacksRoom(options, logged)) throw error;
      if (!isTold) log.error({ directory: options.clusterDirectory }, FULL);
      do await sleep(ROOM_POLL_MS, null, { signal: unwanted });
      while (isDiskFull(options.clusterDirectory));
    }
  }
}

const lacksRoom = ({ clusterDirectory, logFile }: Launch, logged: number): boolean =>
  isDiskFull(clusterDirectory) || saysDiskFull(logSince(logFile, logged));

function ended(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
  });
}

/** A fast shutdown writes everything out; where that takes long, an immediate one leaves it to the next start's recovery. */
async function end(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const hurryAt = Date.now() + FAST_STOP_MS;
  let hurried = false;
  if (!hasEnded(child)) sendSignal(pid, 'SIGINT');
  while (!hasEnded(child)) {
    if (!hurried && Date.now() > hurryAt) {
      sendSignal(pid, 'SIGQUIT');
      hurried = true;
    }
    await sleep(STOP_POLL_MS);
  }
}
