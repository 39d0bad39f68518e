const LOOK_EVERY_MS = 250;

/**
 * If npm started this process, stops it with SIGTERM once npm has ended, because people who kill `npm start` want to
 * stop the server. Usually npm forwards signals, but it can't forward SIGKILL.
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
