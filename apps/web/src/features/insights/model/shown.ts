import type { Deviation } from '@stet/domain/insights';
import { DEVIATION_WORDS } from './insight-words.ts';

/** The screen's settings, from the address bar. An empty text means "all". */
export type Shown = {
  workflow: string;
  version: string;
  weeks: Weeks;
  view: 'figures' | 'deviations';
  kind: Deviation | '';
  step: string;
};

/** The lengths of the period, in weeks. */
export const WEEKS = ['4', '12', '26', '52'] as const;
export type Weeks = (typeof WEEKS)[number];
export const WEEKS_WORDS: Record<Weeks, string> = {
  4: 'Last 4 weeks',
  12: 'Last 12 weeks',
  26: 'Last 6 months',
  52: 'Last year',
};
const USUAL: Weeks = '26';

const isDeviation = (text: string): text is Deviation => Object.hasOwn(DEVIATION_WORDS, text);

export function readShown(address: URLSearchParams): Shown {
  const text = (name: string): string => address.get(name) ?? '';
  const workflow = text('workflow');
  const kind = text('kind');
  return {
    workflow,
    version: workflow !== '' && /^[1-9]\d{0,8}$/.test(text('version')) ? text('version') : '',
    weeks: WEEKS.find((weeks) => weeks === text('weeks')) ?? USUAL,
    view: workflow !== '' && text('view') === 'deviations' ? 'deviations' : 'figures',
    kind: isDeviation(kind) ? kind : '',
    step: text('step'),
  };
}

/** The address's query, without default values. */
export const writeShown = (shown: Shown): URLSearchParams =>
  new URLSearchParams(
    Object.entries({
      ...shown,
      weeks: shown.weeks === USUAL ? '' : shown.weeks,
      view: shown.view === 'figures' ? '' : shown.view,
    }).filter(([, value]) => value !== ''),
  );

const DAY_MS = 86_400_000;

/** The period as the API takes it. Without `to`, it ends today. */
export function periodQuery({ weeks }: Pick<Shown, 'weeks'>, now = Date.now()): { from: string } {
  return { from: new Date(now - (Number(weeks) - 1) * 7 * DAY_MS).toISOString().slice(0, 10) };
}
