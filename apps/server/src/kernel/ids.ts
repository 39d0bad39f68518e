import { v4, v7 } from 'uuid';

/** A new id, sortable by the time it was made. */
export const newId = (): string => v7();

/**
 * A new id of a run. People tell runs apart by its first eight characters, which in an id that begins with the time are
 * the same for a minute; lists of runs are ordered by when they began, not by id.
 */
export const newRunId = (): string => v4();
