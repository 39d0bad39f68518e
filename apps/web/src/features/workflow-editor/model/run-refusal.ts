import type { SourceRecord } from './source.ts';

/** Why no run can be started from the editor now, in the words of the specification (section 5). Null if one can. */
export function runRefusal(record: SourceRecord, dirty: boolean): string | null {
  if (record.kind === 'unsaved') return 'Save the workflow before starting a run';
  if (dirty) return 'Please save your workflow before starting a run';
  // Runs use the live version, but there is none.
  if (record.kind === 'draft' && record.baseVersion === null)
    return 'This workflow isn’t live yet. Runs use the live version';
  return null;
}
