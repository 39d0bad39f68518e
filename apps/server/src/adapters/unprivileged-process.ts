import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/** A user id that usually no account has. It isn't `nobody`, because the embedded PostgreSQL may run as that user. */
const NO_ONE = 65_531;
const WATCH_MS = 500;
/** An allocation can be faster than the check, so memory is checked more often than the parent. */
const MEMORY_WATCH_MS = 20;

/**
 * The script of a child process, and the arguments with which Node starts it. The script is in the folder of the module
 * with this `url`. The build contains only JavaScript. If the server runs from its sources, the process needs the
 * server's loader.
 */
export function childScript(url: string, name: string): { path: string; execArgv: string[] } {
  const isBuilt = url.endsWith('.js');
  return {
    path: fileURLToPath(new URL(`./${name}.${isBuilt ? 'js' : 'ts'}`, url)),
    execArgv: isBuilt ? [] : ['--import', pathToFileURL(createRequire(url).resolve('tsx')).href],
  };
}

/** Lowers the priority of a child process. `nice` is from 0 (unchanged) to 19 (the lowest priority). */
export function lowerPriority(pid: number | undefined, nice: number): void {
  try {
    if (pid !== undefined) setPriority(pid, nice);
  } catch {
    // The process has already ended, or the system doesn't support priorities.
  }
}

/**
 * Switches this process to an unprivileged user if it is root. Afterwards it may be unable to read the program's own
 * files. Returns true if it is still root, for example in a container without the capability.
 */
export function dropRoot(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    process.setgroups?.([]);
    process.setgid?.(NO_ONE);
    process.setuid?.(NO_ONE);
    return false;
  } catch {
    return true;
  }
}

/**
 * Ends this process when the server has ended, or when this process uses more than `memoryMb`. Another thread checks
 * this, because the main thread may be busy. Ctrl-C in a terminal is meant for the server, which ends this process
 * itself.
 */
export function endWithParent({ memoryMb = Infinity }: { memoryMb?: number } = {}): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  const bytes = memoryMb * 1024 * 1024;
  const watch = `const parent = process.ppid;
    const end = () => process.kill(process.pid, 'SIGKILL');
    setInterval(() => process.ppid === parent || end(), ${WATCH_MS});
    if (${Number.isFinite(bytes)}) setInterval(() => process.memoryUsage.rss() < ${bytes} || end(), ${MEMORY_WATCH_MS});`;
  new Worker(watch, { eval: true }).unref();
}
