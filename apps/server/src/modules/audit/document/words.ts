import type { RunStatus, StepDisplayState } from '@stet/domain/runs';
import { isolated } from '@stet/domain/workflows';
import type { SlaState } from '@stet/domain/sla';
import { type DateForm, readerDates } from '@stet/presentation/reader-dates';
import type { Block, Ink } from '../../../kernel/pdf.ts';

/** For example `2026-11-21T03:12:44.123Z`. */
export const utc = (moment: number | Date): string => new Date(moment).toISOString();

/** How a document shows times. */
export type Times = {
  form: DateForm;
  /** In the reader's format. */
  inWords: (moment: number | Date | string) => string;
  /** In the reader's format, with the exact time below. */
  blocks: (moment: number | Date | string, style?: 'body' | 'small') => Block[];
};

export function timesFor(form: DateForm): Times {
  const { moment: inWords } = readerDates(form);
  return {
    form,
    inWords,
    blocks: (moment, style = 'small') => [
      { text: inWords(moment), style, ink: 'text' },
      // The time of an event is already an exact text, with microseconds.
      { text: typeof moment === 'string' ? moment : utc(moment), style: 'code', ink: 'meta' },
    ],
  };
}

/** For example `2,500`. */
export const figure = (n: number): string => n.toLocaleString('en-US');

/** For example `1 run` or `2,500 runs`. */
export const counted = (n: number, noun: string): string => `${figure(n)} ${noun}${n === 1 ? '' : 's'}`;

/** For example `Step completed` or `SLA at risk`. */
export function actionWords(action: string): string {
  const words = action.replaceAll(/[._]/g, ' ');
  return action.startsWith('sla.') ? words.replace('sla', 'SLA') : capital(words);
}

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Names an SLA state. Null means that there is no clock. */
export function verdictBlock(state: SlaState | null): Block {
  const [text, ink] = state ? VERDICTS[state] : (['No SLA', 'meta'] as const);
  return { text, style: state ? 'strong' : 'body', ink };
}
const VERDICTS: Readonly<Record<SlaState, readonly [string, Ink]>> = {
  on_track: ['On track', 'ok'],
  at_risk: ['At risk', 'warn'],
  breached: ['Breached', 'danger'],
};

export const STATUS_INK: Readonly<Record<RunStatus, Ink>> = {
  running: 'accent',
  paused: 'second',
  completed: 'ok',
  failed: 'danger',
  cancelled: 'second',
};

export const STATE_INK: Readonly<Record<StepDisplayState, Ink>> = {
  completed: 'ok',
  skipped: 'meta',
  active: 'accent',
  pending: 'meta',
  blocked: 'meta',
  failed: 'danger',
};

type Named = { name: string; email?: string | undefined };

/** A person's name, with the email on the next line, and the delegator for whom they acted. */
export const personBlocks = ({ name, email, onBehalfOf }: Named & { onBehalfOf?: Named }): Block[] => [
  { text: name, style: 'body' },
  ...(email ? [{ text: email, style: 'small' } as const] : []),
  ...(onBehalfOf
    ? [
        { text: `for ${isolated(onBehalfOf.name)}`, style: 'body' } as const,
        { text: onBehalfOf.email ?? '', style: 'small' } as const,
      ]
    : []),
];

/** A person on one line. */
export const personWords = ({ name, email }: { name: string; email: string }): string =>
  `${isolated(name)}  ·  ${email}`;

export const NONE: Block = { text: '—', style: 'body', ink: 'meta' };
