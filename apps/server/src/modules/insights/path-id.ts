import { createHash } from 'node:crypto';

/**
 * A short id for the steps that a run went through (its path), for URLs and stored rows, because a path can be very
 * long.
 */
export const pathId = (subject: string): string => createHash('sha256').update(subject).digest('hex').slice(0, 32);
