const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `3312m 5s`, `44s` (specification, section 9: 'Xm Ys'); a dash when missing or negative. Milliseconds in. */
export function formatElapsed(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms) || ms < 0) return '—';
  const minutes = Math.floor(ms / MINUTE);
  const seconds = Math.floor((ms % MINUTE) / SECOND);
  return minutes > 0 ? `${minutes}m ${seconds}s` : `${seconds}s`;
}

/** `3312 min`; a dash when missing or negative. */
export function formatMinutes(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms) || ms < 0) return '—';
  return `${Math.floor(ms / MINUTE)} min`;
}

/** `1d 3h`, `3h 5m`, `44m`, `under 1m`: the two largest parts, for clocks that run. */
export function formatShort(ms: number): string {
  const days = Math.floor(ms / DAY);
  const hours = Math.floor((ms % DAY) / HOUR);
  const minutes = Math.floor((ms % HOUR) / MINUTE);
  if (days > 0) return hours > 0 ? `${days}d ${hours}h` : `${days}d`;
  if (hours > 0) return minutes > 0 ? `${hours}h ${minutes}m` : `${hours}h`;
  return minutes > 0 ? `${minutes}m` : 'under 1m';
}

/** `due in 3h 5m` before the due time, `48m over` after it. */
export function formatDue(dueAt: number, now: number): string {
  return dueAt >= now ? `due in ${formatShort(dueAt - now)}` : `${formatShort(now - dueAt)} over`;
}
