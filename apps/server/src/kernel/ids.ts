import { v4, v7 } from 'uuid';

/** A new id, sortable by creation time. */
export const newId = (): string => v7();

/**
 * A new id of a run. People distinguish runs by the first eight characters of the id, which would be the same for about
 * a minute in a time-ordered id. Lists of runs are ordered by start time and not by id.
 */
export const newRunId = (): string => v4();
