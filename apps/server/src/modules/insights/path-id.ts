import { createHash } from 'node:crypto';

/** A short id for a path in addresses and in the list of runs, because a path can be very long. */
export const pathId = (subject: string): string => createHash('sha256').update(subject).digest('hex').slice(0, 32);
