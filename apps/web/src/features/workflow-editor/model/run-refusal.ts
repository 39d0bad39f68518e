import type { SourceRecord } from './source.ts';

type RunRefusal = { title: string; message: string; tone?: 'warn' };

/**
 * The reason why no run can be started from the editor now (specification, sections 5 and 8). Null if one can be
 * started.
 */
export function runRefusal(record: SourceRecord, dirty: boolean): RunRefusal | null {
  const title = 'Unable to start run';
  if (record.kind === 'unsaved') return { title, message: 'Save the workflow before starting a run' };
  if (dirty)
    return { title: 'Unsaved Changes', message: 'Please save your workflow before starting a run', tone: 'warn' };
  // Runs use the live version, but there was none when the draft was created.
  if (record.kind === 'draft' && record.baseVersion === null)
    return { title, message: 'This workflow isn’t live yet. Merge a draft before starting a run.' };
  return null;
}
