import type { SourceRecord } from './source.ts';

/** Why no run can be started from the editor now, in the specification's words (section 5); otherwise null. */
export function runRefusal(record: SourceRecord, dirty: boolean): string | null {
  if (record.kind === 'unsaved') return 'Save the workflow before starting a run';
  if (dirty) return 'Please save your workflow before starting a run';
  // Runs use the live version, and there is none.
  if (record.kind === 'draft' && record.baseVersion === null)
    return 'Publish the workflow first: runs use its live version';
  return null;
}
