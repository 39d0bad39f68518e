const LOOK_EVERY_MS = 250;

/**
 * If npm started this process, stops it (with SIGTERM) when npm is gone, because someone who kills `npm start` wants to
 * stop the server. npm itself forwards signals, but can't if it is killed with SIGKILL.
 */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  timer.unref();
}
