import type { WorkCalendar } from '@stet/domain/sla';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Returns a calendar in a few words: 'Mon–Fri 09:00–17:00, 2 holidays (Europe/Berlin)'; null is 'around the clock'. */
export function calendarWords(calendar: WorkCalendar | null): string {
  if (calendar === null) return 'around the clock';
  const { timeZone, week, holidays } = calendar;
  const groups: { from: number; to: number; hours: string }[] = [];
  for (const [day, periods] of week.entries()) {
    const hours = periods.map(({ from, to }) => `${clock(from)}–${clock(to)}`).join(' and ');
    const last = groups.at(-1);
    if (last !== undefined && last.hours === hours && last.to === day - 1) last.to = day;
    else groups.push({ from: day, to: day, hours });
  }
  const days = groups
    .filter(({ hours }) => hours !== '')
    .map(({ from, to, hours }) => `${from === to ? WEEKDAYS[from] : `${WEEKDAYS[from]}–${WEEKDAYS[to]}`} ${hours}`);
  const free = holidays.length === 0 ? [] : [`${holidays.length} ${holidays.length === 1 ? 'holiday' : 'holidays'}`];
  return `${[...days, ...free].join(', ')} (${timeZone})`;
}
