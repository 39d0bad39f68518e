import type { Deviation } from '@stet/domain/insights';
import { isDay } from '../../../lib/period.ts';
import { DEVIATION_WORDS } from './insight-words.ts';

/** The `version` of reviews whose drafts didn't go live, in the screen's address and in the API. */
export const NOT_LIVE = '0';

/** The screen's settings, from the address bar. An empty text means "all". */
export type Shown = {
  workflow: string;
  version: string;
  weeks: Weeks;
  view: View;
  kind: Deviation | '';
  step: string;
  /** The Monday of a week, `YYYY-MM-DD`, to which the reviews are limited. */
  week: string;
};

/** What is shown of a workflow. */
const VIEWS = ['figures', 'deviations', 'reviews'] as const;
export type View = (typeof VIEWS)[number];

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

const isWeek = (text: string): boolean => /^(?:19[7-9]|[2-8]\d\d)\d-/.test(text) && isDay(text);
const isDeviation = (text: string): text is Deviation => Object.hasOwn(DEVIATION_WORDS, text);

export function readShown(address: URLSearchParams): Shown {
  const text = (name: string): string => address.get(name) ?? '';
  const workflow = text('workflow');
  const kind = text('kind');
  const version = text('version');
  const view = (workflow !== '' && VIEWS.find((each) => each === text('view'))) || 'figures';
  const hasVersion = /^[1-9]\d{0,8}$/.test(version) || (view === 'reviews' && version === NOT_LIVE);
  return {
    workflow,
    version: workflow !== '' && hasVersion ? version : '',
    weeks: WEEKS.find((weeks) => weeks === text('weeks')) ?? USUAL,
    view,
    kind: isDeviation(kind) ? kind : '',
    step: text('step'),
    week: isWeek(text('week')) ? text('week') : '',
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
