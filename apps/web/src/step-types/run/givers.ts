import type { RunStep } from '@stet/contract';
import { actorName } from '../../lib/format/actor-words.ts';

/** Says who handed the work over, to be appended to a sentence; empty if nobody did. */
export const giversInWords = ({ handedBy }: Pick<RunStep, 'handedBy'>): string =>
  handedBy.length === 0 ? '' : `, after ${handedBy.map(actorName).join(' and ')} had handed it over`;
