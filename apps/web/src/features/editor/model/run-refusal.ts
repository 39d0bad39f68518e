import type { SourceRecord } from './source.ts';

/** Why no run can be started from the editor now, as the specification says it (section 5), else null. */
export function runRefusal(record: SourceRecord, dirty: boolean): string | null {
  if (record.kind === 'unsaved') return 'Save the workflow before starting a run';
  if (dirty) return 'Please save your workflow before starting a run';
  // Runs are of the live version, and there is none.
  if (record.kind === 'draft' && record.baseVersion === null)
    return 'Publish the workflow first: runs use its live version';
  return null;
}
