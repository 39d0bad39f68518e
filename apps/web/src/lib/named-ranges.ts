import { isDay } from './period.ts';

type Range = { from: string; to: string };
/** A range of days with its name. The last range that a person chose has no name. */
export type NamedRange = { name: string | null; range: Range };

const LAST_KEY = 'stet_last_range';

/** The first and last day of `count` months. `month` is the first one, from 0; a negative one is in an earlier year. */
function months(year: number, month: number, count: number): Range {
  const day = (date: Date): string =>
    `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
  return { from: day(new Date(year, month, 1)), to: day(new Date(year, month + count, 0)) };
}

/** The ranges that are offered on this day, with the last chosen one if it isn't one of them. */
export function namedRanges(today: Date): NamedRange[] {
  const [year, month] = [today.getFullYear(), today.getMonth()];
  const named = [
    { name: 'This month', range: months(year, month, 1) },
    { name: 'Last quarter', range: months(year, Math.floor(month / 3) * 3 - 3, 3) },
    { name: 'This year', range: months(year, 0, 12) },
  ];
  const last = lastRange();
  const isNamed = named.some(({ range }) => range.from === last?.from && range.to === last.to);
  return last && !isNamed ? [...named, { name: null, range: last }] : named;
}

/** Remembers a chosen range in this browser. */
export function rememberRange(range: Range): void {
  if (range.from === '' && range.to === '') return;
  try {
    localStorage.setItem(LAST_KEY, `${range.from}/${range.to}`);
  } catch {
    // Without storage, only the named ranges are offered.
  }
}

function lastRange(): Range | null {
  try {
    const [from = '', to = ''] = (localStorage.getItem(LAST_KEY) ?? '').split('/');
    const isValid = [from, to].every((day) => day === '' || isDay(day)) && from + to !== '';
    return isValid ? { from, to } : null;
  } catch {
    return null;
  }
}
