import type { RunStep } from '@stet/contract';
import { formatClock } from '../../lib/format/time.ts';

/** The end of a sentence about an active step, for example ` since 14:05`. */
export const sinceWords = ({ activatedAt }: RunStep): string =>
  activatedAt ? ` since ${formatClock(activatedAt)}` : '';
