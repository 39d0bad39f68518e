const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export type Moment = string | number | Date;

const pad = (value: number) => String(value).padStart(2, '0');
const month = new Intl.DateTimeFormat('en-US', { month: 'short' });
const monthLong = new Intl.DateTimeFormat('en-US', { month: 'long' });

/** 'Just now' under an hour, then 'Nh ago', from a day on 'Nd ago' (specification, section 2, run detail). */
export function relativeTime(moment: Moment, now: number): string {
  const age = now - new Date(moment).getTime();
  if (age < HOUR) return 'Just now';
  return age < DAY ? `${Math.floor(age / HOUR)}h ago` : `${Math.floor(age / DAY)}d ago`;
}

/** `18 Nov 2026`, in the browser's time zone. */
export function formatDate(moment: Moment): string {
  const date = new Date(moment);
  return `${date.getDate()} ${month.format(date)} ${date.getFullYear()}`;
}

/** `09:12`, 24 hours. */
export function formatTime(moment: Moment): string {
  const date = new Date(moment);
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** `09:12:08`. */
export function formatClock(moment: Moment): string {
  return `${formatTime(moment)}:${pad(new Date(moment).getSeconds())}`;
}

/** `18 Nov 2026, 09:12:08`: what hovering over a shorter form tells. */
export function formatExact(moment: Moment): string {
  return `${formatDate(moment)}, ${formatClock(moment)}`;
}

/** `18 Nov, 09:12`; with the year when it isn't this one. */
export function formatDateTime(moment: Moment, now: number): string {
  const date = new Date(moment);
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  return `${sameYear ? `${date.getDate()} ${month.format(date)}` : formatDate(date)}, ${formatTime(date)}`;
}

/** 'Today', '19 November', '19 November 2025': heads of a history's days. */
export function formatDay(moment: Moment, now: number): string {
  const date = new Date(moment);
  const today = new Date(now);
  if (date.toDateString() === today.toDateString()) return 'Today';
  const day = `${date.getDate()} ${monthLong.format(date)}`;
  return date.getFullYear() === today.getFullYear() ? day : `${day} ${date.getFullYear()}`;
}
