import type { Emergency } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';

/** The label of a version that went live without a review. */
export function emergencyWords({ ratified, refused }: Pick<Emergency, 'ratified' | 'refused'>): string {
  if (ratified) return `Emergency, ratified by ${isolated(ratified.by.name)}`;
  return refused ? `Emergency, refused by ${isolated(refused.by.name)}` : 'Emergency, not ratified';
}

/** Amber until a decision, then gray if ratified and red if refused. */
export const emergencyTone = ({ ratified, refused }: Pick<Emergency, 'ratified' | 'refused'>) =>
  ratified ? 'gray' : refused ? 'fail' : 'warn';
