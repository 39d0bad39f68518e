import { v4, v7 } from 'uuid';

/** A new id, sortable by creation time. */
export const newId = (): string => v7();

/**
 * A new id of a run. People distinguish runs by the first eight characters; in a time-ordered id these stay the same
 * for a minute. Lists of runs are ordered by start time, not by id.
 */
export const newRunId = (): string => v4();
