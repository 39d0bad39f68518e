import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasEnded, type Launch, launch, logSince, sizeOf } from './launch.ts';
import { sendSignal } from './postmaster.ts';

/** The methods of a logger that are used here. They are compatible with pino. */
export type EmbeddedPostgresLog = {
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
  error(data: object, message: string): void;
};

/** Twice the size of a WAL file, because PostgreSQL may need a new one to start. */
const ROOM_BYTES = 32 * 1024 * 1024;
const NO_ROOM = /No space left on device|Disk quota exceeded/;
const SHORT_LIFE_MS = 5_000;
const SHORT_LIVES_ALLOWED = 10;
const PAUSE_MS = 250;
const ROOM_POLL_MS = 1_000;
const FULL = 'the disk is full; PostgreSQL will start again once there is space';
const FAST_STOP_MS = 3_000;
const STOP_POLL_MS = 10;

/**
 * Starts PostgreSQL, and restarts it whenever it exits unexpectedly. Calls `onExit` if restarting doesn't help. The
 * returned function stops PostgreSQL permanently. Calling it again has no effect.
 */
export async function keepRunning(
  options: Launch,
  { log, onExit }: { log: EmbeddedPostgresLog; onExit?: (problem: Error) => void },
): Promise<() => Promise<void>> {
  const unwanted = new AbortController();
  let child = await launch(options, unwanted.signal);
  log.info({ pid: child.pid, directory: options.clusterDirectory }, 'PostgreSQL is running');

  const watchOver = async (): Promise<void> => {
    for (let shortLives = 0; shortLives <= SHORT_LIVES_ALLOWED;) {
      const since = Date.now();
      const logged = sizeOf(options.logFile);
      await ended(child);
      if (unwanted.signal.aborted) return;
      const isShort = Date.now() - since < SHORT_LIFE_MS && !lacksRoom(options, logged);
      shortLives = isShort ? shortLives + 1 : 0;
      if (shortLives > 1) await sleep(PAUSE_MS);
      log.warn({ code: child.exitCode, signal: child.signalCode }, 'PostgreSQL exited; restarting it');
      child = await launchWithRoom(options, unwanted.signal, log);
      log.info({ pid: child.pid }, 'PostgreSQL is running again');
    }
    throw new Error(
      `PostgreSQL exited ${SHORT_LIVES_ALLOWED + 1} times shortly after its start; see ${options.logFile}`,
    );
  };
  const watching = watchOver().catch((error: unknown) => {
    if (unwanted.signal.aborted) return;
    const problem = error instanceof Error ? error : new Error(String(error));
    log.error({ err: problem }, 'could not keep PostgreSQL running');
    onExit?.(problem);
  });

  return async () => {
    unwanted.abort();
    await end(child);
    await watching;
    await end(child); // Needed if a launch succeeded just before it was cancelled.
  };
}

/** Waits if the disk is full, because operators expect the server to recover automatically once there is space. */
async function launchWithRoom(options: Launch, unwanted: AbortSignal, log: EmbeddedPostgresLog): Promise<ChildProcess> {
  for (let isLogged = false; ; isLogged = true) {
    const logged = sizeOf(options.logFile);
    try {
      return await launch(options, unwanted);
    } catch (error) {
      if (unwanted.aborted || !lacksRoom(options, logged)) throw error;
      if (!isLogged) log.error({ directory: options.clusterDirectory }, FULL);
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

/**
 * Stops PostgreSQL with a fast shutdown, which writes everything to disk. If that takes too long, an immediate shutdown
 * follows, and the next start recovers the rest.
 */
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

/**
 * True if the disk has too little space for PostgreSQL. PostgreSQL may be unable to log that, because its log is on the
 * same disk.
 */
function isDiskFull(directory: string): boolean {
  const { bavail, bsize } = fs.statfsSync(directory);
  return bavail * bsize < ROOM_BYTES;
}

/** If this account exceeds its disk quota, only PostgreSQL's log says so. */
const saysDiskFull = (log: string): boolean => NO_ROOM.test(log);
