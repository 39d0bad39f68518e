import type { Emergency } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';

/** What a version that went live past the review says of itself. */
export function emergencyWords({ ratified, refused }: Pick<Emergency, 'ratified' | 'refused'>): string {
  if (ratified) return `Emergency, ratified by ${isolated(ratified.by.name)}`;
  return refused ? `Emergency, refused by ${isolated(refused.by.name)}` : 'Emergency, not ratified';
}

/** Amber while nobody has answered for it, red once it was refused, gray once it was ratified. */
export const emergencyTone = ({ ratified, refused }: Pick<Emergency, 'ratified' | 'refused'>) =>
  ratified ? 'gray' : refused ? 'fail' : 'warn';
