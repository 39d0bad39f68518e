export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The longest accepted duration text, in characters, and the longest duration. */
export const DURATION_LIMITS = { textLength: 100, ms: 3650 * DAY_MS } as const;

type Unit = 'day' | 'hour' | 'minute';

const UNIT_MS: Readonly<Record<Unit, number>> = { day: DAY_MS, hour: HOUR_MS, minute: MINUTE_MS };

const UNIT_BY_WORD: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ['d', 'day'],
  ['day', 'day'],
  ['days', 'day'],
  ['h', 'hour'],
  ['hour', 'hour'],
  ['hours', 'hour'],
  ['m', 'minute'],
  ['min', 'minute'],
  ['mins', 'minute'],
  ['minute', 'minute'],
  ['minutes', 'minute'],
]);

/** `ms: null` means no SLA. */
type ParsedDuration = { ok: true; ms: number | null } | { ok: false };

const REFUSED: ParsedDuration = { ok: false };
const NO_CLOCK: ParsedDuration = { ok: true, ms: null };

/**
 * Parses SLA text (specification, section 5): amounts with units (`30m`, `1 day`, `5 mins`, `1 day 4 hours`, `1h30m`,
 * `1.5h`), ignoring case, each unit at most once, in any order. A lone number is hours. Returns milliseconds. Empty
 * text means no SLA, and so does zero: a clock that is overdue immediately is useless, and `formatDuration` shows "no
 * SLA" as `0 mins`. `dayMs` is the length of a day: 24 hours, or a working day (`calendar.ts`). Refused: any other
 * text, more than 100 characters, more than 3650 days.
 */
export function parseDuration(text: string, dayMs: number = DAY_MS): ParsedDuration {
  if (text.length > DURATION_LIMITS.textLength) return REFUSED;
  const rest = text.trim().toLowerCase();
  if (rest === '') return NO_CLOCK;
  if (/^\d+(?:\.\d+)?$/.test(rest)) return bounded(Number(rest) * HOUR_MS);

  const term = /(\d+(?:\.\d+)?)\s*([a-z]+)\s*/y;
  const seen = new Set<Unit>();
  let ms = 0;
  while (term.lastIndex < rest.length) {
    const match = term.exec(rest);
    const unit = UNIT_BY_WORD.get(match?.[2] ?? '');
    if (!match || !unit || seen.has(unit)) return REFUSED;
    seen.add(unit);
    ms += Number(match[1]) * (unit === 'day' ? dayMs : UNIT_MS[unit]);
  }
  return bounded(ms);
}

function bounded(exact: number): ParsedDuration {
  const ms = Math.round(exact);
  // Negated so that Infinity and NaN are refused too.
  if (!(ms <= DURATION_LIMITS.ms)) return REFUSED;
  return ms === 0 ? NO_CLOCK : { ok: true, ms };
}

/** Returns the milliseconds of an SLA text, or null if it is empty or invalid, which means no SLA. */
export function slaMsOf(text: string, dayMs: number = DAY_MS): number | null {
  const parsed = parseDuration(text, dayMs);
  return parsed.ok ? parsed.ms : null;
}

/**
 * Formats milliseconds as `2 days 4 hours 5 mins` (specification, section 5: '{n} day(s) {n} hour(s) {n} min(s)', with
 * the right plural). The duration is rounded to the minute, and zero parts are omitted; null becomes `0 mins`. The text
 * parses to this rounded duration.
 */
export function formatDuration(ms: number | null): string {
  const minutes = Math.max(0, Math.round((ms ?? 0) / MINUTE_MS));
  const parts = [
    counted(Math.floor(minutes / 1440), 'day'),
    counted(Math.floor(minutes / 60) % 24, 'hour'),
    counted(minutes % 60, 'min'),
  ].filter((part) => part !== '');
  return parts.join(' ') || '0 mins';
}

/**
 * Returns an SLA in readable form: `2` as `2 hours`, an empty one as `0 mins`, an invalid one as typed (specification,
 * section 5).
 */
export function formatSla(text: string): string {
  const parsed = parseDuration(text);
  return parsed.ok ? formatDuration(parsed.ms) : text;
}

function counted(n: number, noun: string): string {
  if (n === 0) return '';
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
