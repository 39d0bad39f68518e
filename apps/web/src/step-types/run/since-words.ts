import type { RunStep } from '@stet/contract';
import { formatClock } from '../../lib/format/time.ts';

/** Says since when a step is active, to be appended to a text, for example ` since 14:05`; empty if it isn't known. */
export const sinceWords = ({ activatedAt }: RunStep): string =>
  activatedAt ? ` since ${formatClock(activatedAt)}` : '';
