import { v4, v7 } from 'uuid';

/** A new id, sortable by creation time. */
export const newId = (): string => v7();

/**
 * Returns a new id for a run. People distinguish runs by the first eight characters of the id. In a time-ordered id,
 * these would be the same for about a minute. Lists of runs are ordered by start time and not by id.
 */
export const newRunId = (): string => v4();
