import { runShortId } from '../../../lib/format/run-short-id.ts';

/** The run's name or, without one, 'Run #' and its short id (specification, section 2, run detail). */
export const runTitle = ({ id, name }: { id: string; name: string }): string => name.trim() || `Run #${runShortId(id)}`;
